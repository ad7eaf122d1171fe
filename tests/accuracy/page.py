#!/usr/bin/env python3
"""Holds `oomdoctor plan` against truth.tsv and prints results.md (make accuracy).

page.py PROGRAM             prints the page
page.py PROGRAM --check     as a test: the page checked in is this one, and the bounds hold"""

import csv
import json
import os
import subprocess
import sys

import gpu_page
import held_out
import odds

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "results.md")
TABLES = {"torchsummary": "torchsummary", "torchinfo": "torchinfo, default depth",
          "torchinfo_full": "torchinfo, depth=10", "tree": "print(model)"}
CNNS = ("plain", "vgg", "resnet", "mobile", "densenet", "unet", "inception", "squeezenet", "stack",
        "convnext", "mlp")
# Shapes that a printed module does not tell.
SIZES = {"vgg11_64": "64", "resnet18_128": "128", "mobilenetv2_128": "128", "unet16_96": "96",
         "densenet_small_96": "96", "vit_96": "96"}
LENGTHS = {"lstm_words": "80", "gru_series": "200", "encoder_small": "128", "gpt_small": "256",
           "gpt_untied": "128"}


def plan(program, row):
    file = os.path.join(HERE, "tables", f"{row['model']}.{row['table']}.txt")
    words = [program, "plan", "--framework", "pytorch", "--batch", "2", "--precision", "float32",
             "--optimizer", row["optimizer"], "--format", "json", "--quiet"]
    if row["table"] == "tree":
        words += ["--image", SIZES[row["model"]]] if row["model"] in SIZES else []
        words += ["--seq", LENGTHS[row["model"]]] if row["model"] in LENGTHS else []
    ran = subprocess.run(words + [file], stdout=subprocess.PIPE, check=True)
    return json.loads(ran.stdout)


def compare(program):
    rows = []
    with open(os.path.join(HERE, "truth.tsv"), encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            said, truth = plan(program, row), int(row["saved_bytes"])
            low, high = said["saved_activation_bytes_per_sample_range"]
            saved = said["saved_activation_bytes_per_sample"]
            parts = said["breakdown"]
            wide = said["model"]["parameter_bytes_range"]
            row.update(
                error=(saved - truth) / truth, covered=low <= truth <= high,
                width=(high - low) / truth,
                exact=(said["model"]["parameters"] == int(row["parameters"]),
                       parts["gradients"] == int(row["gradient_bytes"]),
                       parts["optimizer"] == int(row["state_bytes"])),
                held=wide[0] <= 4 * int(row["parameters"]) <= wide[1])
            rows.append(row)
    return rows


def rank(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def percent(x):
    return f"{100 * x:.2f} %" if x < 0.1 else f"{100 * x:.0f} %"


def activations(rows, by, names):
    lines = ["| | tables | median | 90th percentile | largest | too low | range holds | range |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in names:
        some = [r for r in rows if r[by] == name]
        errors = [abs(r["error"]) for r in some]
        low = sum(r["error"] < -0.001 for r in some)
        lines.append(
            f"| {names[name]} | {len(some)} | {percent(rank(errors, 0.5))} "
            f"| {percent(rank(errors, 0.9))} | {percent(max(errors))} | {low} "
            f"| {sum(r['covered'] for r in some)} | {percent(rank([r['width'] for r in some], 0.5))} |")
    return lines


def states(rows):
    lines = ["| optimizer | tables | parameters exact | gradients exact | states exact |",
             "| --- | ---: | ---: | ---: | ---: |"]
    for optimizer in dict.fromkeys(r["optimizer"] for r in rows):
        some = [r for r in rows if r["optimizer"] == optimizer]
        exact = [sum(r["exact"][i] for r in some) for i in range(3)]
        lines.append(f"| {optimizer} | {len(some)} | {exact[0]} | {exact[1]} | {exact[2]} |")
    return lines


def causes():
    """What tests/calibration/measure prints; for a check what the page has between its marks."""
    begin, end = "<!-- causes: begin -->\n", "<!-- causes: end -->\n"
    if "--check" in sys.argv[2:]:
        with open(PAGE, encoding="utf-8") as file:
            text = file.read()
        return text[text.index(begin):text.index(end) + len(end)]
    measure = os.path.join(HERE, "..", "calibration", "measure")
    run = subprocess.run([sys.executable, measure, sys.argv[1]], stdout=subprocess.PIPE, text=True, check=False)
    return begin + run.stdout + end


def page(rows, gpu, found, widths):
    tables = [r for r in rows if r["table"] != "tree"]
    kinds = {kind: kind for kind in dict.fromkeys(r["kind"] for r in rows)}
    formats = {key: text for key, text in TABLES.items()}
    text = f"""# How right the planner is

Written by `make accuracy` from `tests/accuracy/`: {len(set(r['model'] for r in rows))} models of our
own in plain PyTorch, measured by `tests/accuracy/measure.py` (PyTorch 1.13 on a CPU, byte for byte:
storages that autograd keeps, gradients, the optimizer's tensors) and printed in {len(rows)} tables.
Anyone with `python3-torch` can measure again. `oomdoctor plan` sees a table alone; with a printed
module tree it is given the size of the images or the length of the sequences.

These models were also what the planner was corrected against: the page shows that it counts right what
it knows, and guards that. It is no test on unseen models.

## Saved activations of one sample

Errors are of the number said first; *too low* counts tables whose number is more than 0.1 % below the
truth, *range holds* those whose printed range has the truth in it, *range* is its median width.

""" + "\n".join(activations(tables, "kind", kinds)) + """

A printed module tree has no sizes and does not tell the order of its calls; it is counted apart:

""" + "\n".join(activations(rows, "table", formats)) + """

What is left: transformers whose table hides attention (the number of heads and the rate of dropout
are guessed; a table with `depth=10` shows both), recurrent layers (cuDNN's buffer is not measured),
leaky ReLUs (no table says whether they work in place).

## Parameters, gradients, optimizer states

""" + "\n".join(states(rows)) + """

Not exact: a head with a table of its own that is as large as the embedding looks like a tied one;
positions and class tokens are in no module tree; a table that hides attention does not say in how
many tensors its matrices are (Adam counts steps in each). The plan says so among its assumptions, and
its range holds both.

## Causes

What `oomdoctor` says of a cause's probability, held against labelled failures (`tests/calibration/`):

{causes()}
## Held out: models that nobody corrected against

Tables of 24 models of torchvision 0.22, printed on the meta device and planned before the planner had
seen any of them; the truth is in `src/models/public_vision.tsv`. Within 10 % of the saved activations,
attention fused or written out: torchsummary 19 of 21, torchinfo `depth=10` 18 of 21, torchinfo at its
default depth 15 of 21. Left: Swin, MaxViT (attention that no row prints), (2+1)-D convolutions at the
default depth; r3d_18 and mc3_18 were mended since. Segmentation models return dictionaries, which the
printers of `tables.py` do not take.

## Published peaks of language models, beside simple estimators

Peaks that other people published (READMEs, documentation, benchmark tables), by `make accuracy-peaks`. *first seen*
are 23 rows of six sources that were written down before the planner was asked (2026-11-28). *formula* is the weights
and, when serving, the cache of keys and values; *accelerate* is the arithmetic of `accelerate estimate-memory`. Both
were given the planner's own counts of parameters.

| | rows | oomdoctor: within 10 %, median error | formula | accelerate |
| --- | ---: | ---: | ---: | ---: |
| training | 48 | 32, 5.8 % | 4, 47 % | 2, 166 % |
| training, first seen | 11 | 4, 21 % | 1, 54 % | 1, 162 % |
| serving | 28 | 26, 0.2 % | 26, 0.4 % | 14, 11 % |
| serving, first seen | 12 | 6, 11 % | 4, 16 % | 3, 22 % |

The range holds for 46 of 48 and 6 of 11 (training), 26 of 28 and 9 of 12 (serving); with widths taken from the other
sources, one left out at a time, for 47 of 48 and 21 of 28 (`held_out.py`; the points stay as they are). Three of
the rows first seen for serving are 9 to 24 % too low because their long prompt is not stated; with `--prompt` as the
source has it they are within 4 %. Not to be predicted: two rows of litgpt whose samples have no stated length. Of one
program alone: an untied copy of a tied head, and 4-bit weights made on the device, which three rows of Falcon hold.

34 more rows were written down before the planner was asked (2026-11-29). The first 22 (fms-acceleration, Unsloth, an
old release of transformers, AutoAWQ, DeepSeek LLM, ChatGLM2) at first look: training within 10 % in 4 of 10 and in
range in 6, serving in 5 of 12 and 5. The ranges of older releases and of the pool were mended with them. The last 12
(other rows of the same tables, and GPTQ-for-LLaMa) at first look: training 0 of 6 and 5, serving 5 of 6 and 6. Too
high there: sharded fine-tunes whose program does not load the whole checkpoint on every device, and 4-bit adapters
whose release of bitsandbytes is not stated. fms-acceleration does not state the length of its samples: 4096 tokens
follow from its rows at two batches. Unsloth's rows are the longest context on a card, taken as 98 % of it.

44 more rows of 17 sources (`peaks.jsonl`; seven of them, of fms-acceleration and ChatGLM2, had been seen). Half *a* was
mended by, half *b* asked afterwards, once. At first look half *a* held the range for 14 of 15 (training, 9 of 10 without
the seen ones) and 7 of 9 (serving); half *b* for 7 of 12 and 7 of 8, within 10 % in 4 and 6, with ranges as wide as 32 %
and 25 % of the centre in the median. Four of the five training rows missed would need another loss than assumed, 8 to 20
bytes for a logit; that was read from these peaks, not from the programs. It is a factor of the range since
(`src/estimate/factors.def`), and with it half *b* holds 11 of 12 and 7 of 8: fitted, no longer a test, and by less than
0.3 % for two of the rows. Of the rows in the table above the range now holds for 44 of 48 (training, two fewer than
before) and 27 of 28. Left: attention written out that no flag tells, and the length of samples, where the centre is up
to twice too high. Errors of both halves, after the mending:

| | rows | oomdoctor: within 10 %, median error | formula | accelerate |
| --- | ---: | ---: | ---: | ---: |
| training, halves a and b | 27 | 13, 13 % | 0, 69 % | 1, 110 % |
| serving, halves a and b | 17 | 13, 2.9 % | 11, 7.3 % | 6, 12 % |

31 more rows of 16 sources (groups ending in *c* and *d* in `peaks.jsonl`) were written down on 2026-11-29 before the planner was
asked: torchtune, TRL's DPO, LOMO, PEFT, Whisper, Swin, vLLM, llama.cpp, and pipelines that make images. At first look
half *c* held the range for 9 of 11 (training, one not answered) and 3 of 5 (serving, two not answered: pipelines were not
known); half *d*, asked once, at the end, with pipelines known: 5 of 10 and 4 of 5, one of each not answered. Within 10 %:
*c* 7 of 11 and 2 of 5, *d* 4 of 10 and 3 of 5. The five misses of *d*: attention and norms written out in an old release,
without checkpointing (LOMO's table adds parts up, twice -24 and -38 %; Swin -35 %, whose batch is the paper's), a
precision that is not said (RoBERTa, +28 %), a video pipeline. After the mending *c* holds 10 of 11 and 5 of 5.

| | rows | oomdoctor: within 10 %, median error | range holds |
| --- | ---: | ---: | ---: |
| training, halves c and d, last | 21 | 12, 4.0 % | 15 |
| serving, halves c and d, last | 10 | 7, 5.3 % | 9 |

42 more rows of 17 sources (groups ending in *e* and *f*) were written down on 2026-11-29 before the planner was asked: scripts
of ms-swift for fine-tunes and for DPO, SimPO, PPO, torchtitan's benchmarks, EasyR1, adapters of FLUX, CogVideoX and Stable
Diffusion in training, DeepSeek LLM and AutoAWQ (other rows of their tables had been seen before), Baichuan 2, vLLM, SGLang,
llama.cpp. At first look the range held for 10 of 22 (training, three not answered) and 10 of 20 (serving, one not
answered), within 10 % were 5 and 9; in the median it was 0.82 and 0.16 of the centre wide. Half *e* was mended by, half *f*
asked afterwards, once: 9 of 11 and 8 of 10, within 10 % 2 and 5. By then options said what had no option before
(`--objective`, `--engine`), prompts as the table of DeepSeek LLM has them, and autocast where accelerate means it. Missed in
*f*: FLUX in NF4 (served and trained), CogVideoX-2b trained whole, a prompt of 4096 tokens through Mixtral in an old release.
Of no stated length: the centre of ms-swift's DPO at 8192 tokens is 2.4 times too high. Beside other ways, all rows as of now:

| | rows | oomdoctor: within 10 %, median error | range holds | formula | accelerate |
| --- | ---: | ---: | ---: | ---: | ---: |
| training, halves a and b | 27 | 14, 9.2 % | 25 | 0, 69 % | 1, 110 % |
| training, halves c and d | 21 | 13, 3.9 % | 16 | 0, 76 % | 3, 72 % |
| training, halves e and f | 22 | 8, 13 % | 18 | 1, 75 % | 3, 118 % |
| serving, halves a and b | 17 | 13, 2.9 % | 16 | 11, 7.3 % | 6, 12 % |
| serving, halves c and d | 5 | 4, 5.9 % | 4 | 1, 23 % | 1, 23 % |
| serving, halves e and f | 20 | 13, 5.8 % | 18 | 10, 9.2 % | 5, 36 % |

`make side-by-side` prints the columns of errors. In the median the ranges of halves *e* and *f* are 0.75 (training) and
0.36 (serving) of the centre wide, those of *a* to *d* 0.35 and 0.25.

40 more rows (groups ending in *g* and *h*, 16 sources) were written down before the planner was asked: QLoRA and LoRA with
FSDP on two cards, Llama 3 with three ways of checkpointing, PEFT with 70B, Qwen-VL; image and video pipelines of torchao's
benchmarks, vLLM's logs, SGLang, Whisper. At first look *g* (30) held the range for 13 of 15 (training; two not answered,
Qwen-VL has no row) and 6 of 15 (serving; three not answered), within 10 % were 9 and 5, in the median 6.0 and 12 % off,
with ranges of 0.42 and 0.24 of the centre. *g* was then mended by: what vLLM keeps free to draw tokens, decoders measured
instead of a constant, layers with a window that keep all tokens, a tied head that was loaded twice. *h* (10), asked
afterwards: 1 of 4 (CogVideoX by another program of its makers, Bloom in a mode that is not said) and 3 of 6; vLLM's three
are 0.1, 0.2 and 3 % off. The two misses of videos widened the range once more. With one source left out at a
time (`held_out.py`, all halves), ranges as printed hold 73 of 85 (training) and 53 of 60 (serving); widths taken from the
other sources would hold 76 and 55, and be half as wide again (75 and 36 % where they are 49 and 32).

39 more rows of 20 sources were written down before the planner was asked (groups ending in *i* and *j*, of those that need no
settings file): axolotl's recipes, SimpleTuner, thunder, vLLM's accounts on an H100, HQQ. At first look the range
held for 11 of 20 (training, two not answered) and 8 of 19 (serving, three not answered), within 10 % were 3 and 12, in the
median 23 and 4.9 % off, with ranges of 0.44 and 0.10 of the centre. *i* was then mended by: as many tokens drawn as vLLM
draws on a large device, offloaded weights of 4 bits, names that were missing. *j* holds 7 of 10 and 5 of 9. Left: loops that
compile the loss (50 % too high), paged optimizers on one device, tables of sizes that say GB where GiB are meant.

26 more rows of ten sources (groups ending in *k*, and a room of vLLM) were written down before the planner was asked:
optimum-benchmark, torchtitan, ZeRO-3 on an H200, litgpt, PEFT's README, Whisper, CogVLM2, benchmarks of diffusers. At
first look the range held for 13 of 18 (training) and 6 of 8 (serving, one not answered), within 10 % were 9 and 6, in the
median 11.2 and 2.6 % off, with ranges of 0.45 and 0.24 of the centre. With attention written out, as releases of 2023
have it, Falcon's row is 1 % off; the three of Stable Diffusion, from the same time, are half as large as they should be,
and pipelines have no such option. After the mending, which counts labels, sound, paged states, casts of compiled programs
and contexts anew, ranges hold for 195 of 220 training and 113 of 127 serving rows of all sources (190 and 111 before),
within 10 % are 137 and 99 (134 and 97), with ranges of 0.44 and 0.24 of the centre (0.42 and 0.25).

24 more rows (groups ending in *l*; two of a course's report are not in the file, and one source of two rows had been used
before) were written down before the planner was asked: NeMo, MetaCLIP, OpenCLIP, TRL's and ms-swift's GRPO, x-flux, GLM-4
at 10,240 tokens, QLoRA with 65B, DeiT, and logs of vLLM. At first look the range held for 13 of 16 (training, one not
answered) and 4 of 8 (serving), within 10 % were 3 and 2, with ranges of 0.94 and 0.37 of the centre; before the changes of
that day 10 (three not answered) and 4. Then `paged_adamw_32bit` was learnt, and that a server without a stated length takes
the model's: 14 and 5, within 10 % 3 and 3. Left: GRPO's centre (44 % too high), encoders and decoders that stay loaded
beside a trained denoiser, what vLLM keeps for images and for several devices, batches of sound.

22 more rows (groups ending in *m*; two others turned out to be in the file) were written down before the planner was asked,
from threads where people say what their run takes: llama-cookbook, FastChat, alpaca-lora, QLoRA, GRPO and PPO, Whisper, BGE-M3,
TRL, LLaMA-Factory, pipelines, and rooms of vLLM with hybrids of 2026. At first look the range held for 3 of 14 (training,
one not answered) and 4 of 8 (serving, two not answered), within 10 % were 1 and 3. What most of them leave open is whether
blocks are recomputed, which was taken as no: sharded and 8-bit fine-tunes were planned three to five times too large. The
range holds both readings since, and what is usual is the centre. Left: the length of samples, passages beside a query, what
a server keeps for a window of 32,768 tokens.

Eleven more of that kind (groups ending in *n*; two, of runs that filled the device, are not in the file, three are from threads
that had been read), asked once after the mending: 3 of 8 (training, one not answered) and 1 of 3 (serving, one not answered) in
range, within 10 % 2 and 1. Large denoisers are taken as recomputed since.

30 more rows (groups ending in *o*, of 14 sources) were written down on 2026-11-30 before the planner was asked: Soup's and
can-i-finetune-this's tables, musubi-tuner, ms-swift, PEFT, logs of vLLM, Qwen's vision models, CTranslate2, a table of quantized
checkpoints. At first look the range held for 11 of 16 (training) and 14 of 14 (serving), within 10 % were 3 and 8, in the median
31 and 5.1 % off. Mended: float32 logits where PEFT prepares quantized weights, what is kept without checkpointing there, samples
that would be cut far above their mean; four of the misses had said `bf16_true` of programs that make norms and tables float32.
14 more (*p*), asked once after that: 6 of 8 and 3 of 6 in range (one of eight with an option that does not exist, two of six
without an answer), within 10 % 2 and 1. `--quantize Q5_K_M` is understood since, and FSDP is not expected to hold a large model
whole on each device. Left: adapters over ZeRO-3, NVIDIA's NVFP4 of Gemma 4, which leaves most of it in 16 bit, paged states.

How far could saying more reach? `reach.py` takes for each row the best of what its page leaves unsaid: attention, lengths,
optimizer, checkpointing, release. Of 200 training rows 103 are within 10 % as typed, at most 134 (67 %) would be with that
said, and 156 with any kind of peak; of 113 serving rows 85, 90 (80 %) and 96. What lies beyond that is not a fact left unsaid.

What was mended by rows carries over to the next ones in part: with mechanisms tuned on all of them ranges held nine in ten of
these rows, and at first look a third to two thirds. A range therefore reaches at least as far from its centre as first
looks of its family were off (`first_looks.tsv`, from which `held_out.py` writes `src/estimate/widths.def`); the columns
*below* and *above* say how far. *Range held*: as it was said; *look left out*: with distances taken from the other looks.
Families are what a page leaves open: whether blocks are recomputed, or how many models an objective keeps. Within 10 % of all
rows in the file: training 75 of 176, serving 71 of 105.

{widths}

[fitcheck](https://pypi.org/project/fitcheck-llm/) 0.3.1 plans fine-tunes from a config.json, as this does. With the same
configurations (read from `public_models.tsv`; its own look-ups of counts need the network) it answers 41 of the 48
training rows above, 9 of them within 10 %, median error 26 %; of the same 41, oomdoctor has 28, 5.8 %. Of 27 rows of halves
*a* and *b* it answers 25, 7 within 10 %, 15 %; oomdoctor 12, 13 %. It knows neither packed data, chunked losses nor offloaded
activations, so halves *c* and *d* are not its ground.

Side by side on all rows in the file. *Unsloth* is the rule of its studio (`vram_estimation.py`, 2026-11) for fine-tunes on one
device of models known by name, which is made for its own trainer. gguf-parser (library, 0.28.1) was asked with files of headers
alone for four logs of llama.cpp (Llama 3 8B and R1 Llama 8B in Q4_K_M, Pythia 2.8B and Qwen2.5 7B in F16).

| | rows | oomdoctor: within 10 %, median error | other |
| --- | ---: | ---: | ---: |
| training, weights alone | 176 | 75, 13.5 % | 3, 73 % |
| training, accelerate | 176 | 75, 13.5 % | 14, 108 % |
| training, Unsloth | 68 | 30, 12.7 % | 11, 32 % |
| training in view below, Unsloth | 31 | 23, 4.1 % | 5, 26 % |
| serving, weights and cache | 105 | 71, 5.1 % | 50, 12 % |
| serving, accelerate | 105 | 71, 5.1 % | 35, 19 % |
| llama.cpp, gguf-parser | 4 | 4, 0.4 % | 4, 2.4 % |

## Peaks on a GPU, measured

Training runs of our own on one NVIDIA H100 80GB (PyTorch 2.11, CUDA 13; `tests/accuracy/gpu_runs.py`
measures them, `tests/accuracy/gpu/runs.tsv` lists them): 35 networks and ways of training them, each at
two batches, vision, language, diffusion and recurrent, float32 and autocast, checkpointed, compiled, with
adapters. *allocated* counts runs with `zero_grad()` before the forward pass and behind it
(`--keep-gradients`). Half of the runs were held out: the shares of the pool and the context were fitted
to the other half, and laws were mended by looking at it alone.

{gpu}

At first look, before anything was mended, the allocated peak was missed by 8.0 % in the median by name or
config.json (held out: 10.3 %), the reserved one by 18 % (15 %), the device's by 17 % (16 %). A graph of
float32 under autocast was missed by 2 to 33 %, held out as well; with PyTorch's lists of what is cast the held
ones were met within 5 % at first look. Of the held ones the compiled network was looked at since: with its loss
compiled, too, an entry of the logits takes 4 bytes for 12, which the range covers.

*Met later* are 51 networks of families that none of these has, at two batches each (`tests/accuracy/gpu_unseen.py`),
measured when all else stood. Their first look, before anything was mended by them: allocated within 10 % by name
88 % (median 1.7 %, the range holds 85 %), by config.json 68 % (4.4 %, 68 %); the device's peak 75 % and 62 %; of
graphs recorded of them and of 9 networks of our own 85 % (2.0 %, 76 %), of torchsummary's tables 54 % (8.3 %, 69 %),
of torchinfo's with `depth=10` 59 % (8.3 %, 72 %), at its default depth 30 % (23 %, 69 %), of printed module trees
of language models 27 % (26 %, 43 %). What they taught is in the table above: Adam's temporaries, a copy of a norm's
output for each matrix under autocast, norms of queries and keys, Bloom's and T5's scores; the ranges are as
wide as their errors. Printed trees are now 43 % (16 %, 50 %). Left: DeBERTa, trees of shared blocks (ALBERT) and of
experts, LSTMs under autocast, attention over five dimensions (NesT), convolutions without TF32 or autotuned, torch.compile.

*At first look*: 30 networks of families that no other table has (timm, torchvision, Hugging Face, diffusers, PEFT; drawn
at random, five optimizers, float32, autocast, bf16, checkpointed), 59 runs; the plans were written down before the
machine was asked (PyTorch 2.11, CUDA 13, an H100 80GB; 2026-11-23, `tests/accuracy/gpu/first_look.tsv`).

| described by | metric | rows | within 10 % | median error | 90th percentile | range holds |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| name, not checkpointed | allocated | 20 | 100 % | 2.2 % | 5.4 % | 100 % |
| name, not checkpointed | reserved | 20 | 50 % | 10.8 % | 28.8 % | 90 % |
| config.json | allocated | 16 | 81 % | 1.3 % | 17.2 % | 88 % |
| config.json | reserved | 16 | 44 % | 15.2 % | 27.2 % | 75 % |
| graph | allocated | 59 | 75 % | 2.5 % | 16.8 % | 83 % |
| graph | reserved | 59 | 49 % | 10.1 % | 29.6 % | 81 % |

What they taught of graphs (a 16-bit copy for each matrix, adapters, steps of 16 bits whose loss is wider): allocated
within 10 % now 93 %, median 1.3 %, 90th percentile 7.3 %. A vision model's name with `--checkpointing` was planned without
it (four rows, five to six times too large); with timm's own segments, measured on the meta device, it is 9 to 11 % too
small there. Left: Falcon, whose attention PyTorch's library wrote out in that version,
Mamba-like convolutions, and the pool's reserve, which is 30 to 60 % of some networks.

## Odds, held out by family

Is a plan's range as wide as its errors, and does a probability mean what it says? Runs of the tables above on the
H100: peaks with room (`--metric device`), and networks that ran out below a limit (`largest.tsv`). Each family is
held out in turn (`tests/accuracy/odds.py`): how wide its ranges are is taken from the errors of all other families,
a factor for each kind of description on the width that the parts of an estimate add up to, with the tails of
Student's t of 4 degrees of freedom. For each run the plan is asked whether it fits devices of 0.6 to 1.6 times what
it took. Below each span of odds: answers, mean said, share true. The factors of all families together are those of
`src/estimate/odds.def`; the points and the parts of the ranges are in sample where the tables above say so.

{odds}

## Largest batch, from one log

85 networks on one NVIDIA H100 80GB (PyTorch 2.11, CUDA 13; 2026-11-22 and 23), each below a limit of its own of 6 to
18 GiB, which other processes on the card had no part in: the largest batch by bisection, and the log of one that
ran out (`tests/accuracy/gpu/largest.tsv`; 31 of `gpu_unseen.py`, 54 drawn at random by `gpu_drawn.py` from families
that no other run has). `analyze` is given the log, its batch, precision and optimizer, and a description of the
network. Before any was looked at one by one they were split by chance; 49 were looked at, 36 kept closed. *Before*
is the first look, of the closed ones too; right is what lies within 10 % of the largest batch.

| described by | closed | before | now | range holds | looked at | before | now | range holds |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| name | 23 | 10 | 21 | 21 of 23 | 32 | 15 | 27 | 29 of 32 |
| config.json | 12 | 6 | 7 | 10 of 10 | 13 | 9 | 11 | 13 of 13 |
| torchinfo, default depth | 12 | 0 | 12 | 12 of 12 | 26 | 1 | 19 | 24 of 26 |
| torchsummary | 12 | 7 | 11 | 11 of 12 | 25 | 13 | 19 | 23 of 25 |
| print(model) | 36 | 0 | 24 | 33 of 36 | 49 | 0 | 33 | 47 of 49 |

No safe batch was too large but one of the closed torchsummary's. The log alone, without a description, gives only
the bound that is proven. What the open half taught: at its limit PyTorch's pool gives back what it had reserved and
does not use, so that the most allocated comes to 97 % of the limit (90 % of them: 86 to 100 %), whatever share was
reserved beyond it in a run with room; and a printed network of the catalogue is known by exactly the numbers that its modules print. Left: networks of our own and
language models whose printed tree is all that is known.

## Peaks traced on a CPU

20 trainings of networks of ours (convolutional, U-Net, vision transformer, decoder and encoder, recurrent,
checkpointed, frozen; six optimizers, float32) on the CPU of a machine with an NVIDIA H100 80GB and on that GPU,
PyTorch 2.11 and CUDA 13; 2026-11-22, `tests/accuracy/cpu_runs.py`. *CPU* is the most that the profiler saw live
there, without workspaces. In sample: the ranges of a trace, when its weights and states end and that it needs no
matrix library without products of matrices were settled on these runs. With small batches and another loss, the
first measurement, the graph was 3.5 % off at the median and 37 % at the 90th percentile. The printed range of a trace
(90 %) holds 15 of the 20 allocated peaks and 19 of the 20 reserved ones.

| described by | held against | median error | 90th percentile | within 10 % |
| --- | --- | ---: | ---: | ---: |
| graph, recorded on the meta device | CPU | 0.5 % | 17.4 % | 17 of 20 |
| trace of the CPU | CPU | 0.7 % | 2.3 % | 20 of 20 |
| graph | H100, allocated | 2.5 % | 31.7 % | 16 of 20 |
| trace of the CPU | H100, allocated | 1.6 % | 25.9 % | 17 of 20 |
| graph | H100, reserved | 11.7 % | 28.8 % | 8 of 20 |
| trace of the CPU | H100, reserved | 2.1 % | 13.9 % | 15 of 20 |

Left: LSTM, GRU and `nn.TransformerEncoder`, whose kernels on a CPU keep other things than those of a GPU, and cuDNN's
reserve of recurrent layers, which neither shows; of a graph without products of matrices, cuBLAS's workspace is
counted all the same.

## Peaks on a GPU, published

Published runs of others, which are not in this repository. The constants of the
workspace were fitted to the first row and the runs of the second at the library's size, and to printed
summaries (`src/estimate/peak.c`), so the table is in sample. A fit to those by name alone, each family
of models predicted without its own runs, has a median error of 2.5 %, and 91 % within 10 %.

| described by | published runs | rows | within 10 % | median error | range holds |
| --- | --- | ---: | ---: | ---: | ---: |
| name, at the library's size | GPUMemNet, A100, float32 | 79 | 87 % | 3.2 % | 96 % |
| name, at another size | the same | 16 | 0 % | 46 % | 94 % |
| parameters and activations | the same | 95 | 78 % | 3.3 % | 94 % |
| printed summary | the same | 15 | 93 % | 4.4 % | 100 % |
| config.json, fine-tuning | litgpt, torchtune, torchtitan, Hugging Face | 23 | 100 % | 2.2 % | 100 % |
| config.json, adapters | PEFT | 6 | 100 % | 5.0 % | 100 % |

The second row is told apart because all of its runs agree with the library's own size instead: the size
that was published with them is that of an evaluation. A name that is asked for at that size has both in its range.

Do probabilities mean what they say? Batches of a ladder that trained and that ran out (timm's
benchmark, RTX 3090, autocast), planned with `--batch`; Brier scores: 0.25 is a coin. *Recognised*: parameters and
activations that are those of a public model, which are taken for it. *Numbers alone*: the same, 1.5 % more or less,
so that they are nobody's.

| said | by name: rows | said | true | recognised: rows | said | true | numbers alone: rows | said | true |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| below 0.1 | 55 | 0.03 | 0.04 | 66 | 0.03 | 0.03 | 21 | 0.06 | 0.00 |
| 0.1 to 0.3 | 25 | 0.19 | 0.08 | 19 | 0.19 | 0.11 | 45 | 0.20 | 0.20 |
| 0.3 to 0.5 | 10 | 0.40 | 0.10 | 14 | 0.39 | 0.29 | 30 | 0.40 | 0.30 |
| 0.5 to 0.7 | 8 | 0.61 | 0.62 | 11 | 0.60 | 0.82 | 36 | 0.61 | 0.72 |
| 0.7 to 0.9 | 16 | 0.83 | 0.94 | 17 | 0.82 | 0.88 | 47 | 0.80 | 0.83 |
| above 0.9 | 78 | 0.97 | 0.91 | 69 | 0.98 | 0.96 | 17 | 0.94 | 0.88 |
| Brier score | 192 | 0.076 | | 196 | 0.070 | | 196 | 0.150 | |

Numbers alone against 95 runs on an A100 (float32), devices of 0.6 to 1.6 times what they took: said 0.04, 0.19,
0.39, 0.60, 0.81, 0.96, true 0.07, 0.12, 0.29, 0.59, 0.85, 0.92; the range holds 92 %. With each family's widths taken
from the errors of all others ranges hold 91 % in each of these groups.

In sample: the slack under autocast is as wide as these rows ask for (one number), and so are two constants of
numbers alone.

## Language models that other people measured

Peaks from READMEs and benchmark tables of others. The first rows were in view when the ranges were chosen. The second
ones (litgpt's TinyLlama, Llama 2 and Mistral, torchtitan on 8 GPUs, a trainer's table on an H100, LongLoRA, ms-swift's
other tables, Qwen2.5 and Qwen served by transformers) were written down before the first run. At that first look 10 of 20
training rows and 4 of 10 serving rows were within 10 %, and the range held in 15 and 8. Then prompts and packed samples
were added to the options of 17 rows. Samples of many lengths and adapters in compiled programs were counted anew with
the first rows in view, and the table has the figures after that. Of 16 more rows, written down before their first run
(litgpt, Qwen's README, torchtune), 9 of 13 training and 2 of 3 serving rows are within 10 %, before and after; the range
holds in 11 and 2. The rows of Qwen's README in view have inputs of one length, which their options do not say: they are
15 to 109 % too high. Beside them, from the same parameters and the same cache
(`tests/accuracy/side_by_side.py`): weights and cache alone, and what `accelerate estimate-memory` prints, four times the
weights for training with Adam.

| rows | | `plan`: median error | within 10 % | range holds | weights and cache | within 10 % | accelerate | within 10 % |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| in view, training | 48 | 6.1 % | 31 | 45 | 47 % | 4 | 166 % | 2 |
| in view, serving | 28 | 0.2 % | 26 | 26 | 0.4 % | 26 | 11 % | 14 |
| later, training | 20 | 6.5 % | 13 | 16 | 76 % | 1 | 46 % | 0 |
| later, serving | 10 | 3.9 % | 7 | 7 | 16 % | 4 | 28 % | 3 |

Misses of the later rows: logits of long sequences and large vocabularies (+17 to +27 %), a full fine-tune of litgpt
(-17 %), LongLoRA (-14 %), 4 bits under ms-swift (-12 %), a serving program of 2023 (-27 %).
"""
    return text.replace("{causes()}", causes()).replace("{gpu}", gpu_page.table(gpu)).replace(
        "{odds}", odds.table(found)).replace("{widths}", held_out.table(widths))


def bounds(rows):
    """What issue and README promise, as (holds, words)."""
    tables = [r for r in rows if r["table"] != "tree"]
    cnns = [r for r in tables if r["kind"] in CNNS]
    others = [r for r in tables if r["kind"] not in CNNS]
    known = [abs(r["error"]) for r in cnns]
    hidden = [abs(r["error"]) for r in others]
    yield rank(known, 0.5) <= 0.005, "convolutional models: median error at most 0.5 %"
    yield rank(known, 0.9) <= 0.03, "convolutional models: 90th percentile at most 3 %"
    yield rank(hidden, 0.5) <= 0.08, "other models: median error at most 8 %"
    for name, some in (("convolutional", cnns), ("other", others), ("printed", rows)):
        share = sum(r["covered"] for r in some) / len(some)
        yield share >= 0.9, f"{name} models: the range holds the truth in at least 90 %"
    yield all(all(r["exact"]) for r in cnns), "convolutional models: states exact to the byte"
    yield all(r["held"] for r in tables), "tables: the range of the parameters holds the truth"


def check(text, rows, gpu, found):
    with open(PAGE, encoding="utf-8") as file:
        results = [(file.read() == text, "results.md is what make accuracy writes")]
    results += list(bounds(rows)) + list(gpu_page.bounds(gpu)) + found
    print(f"1..{len(results)}")
    for number, (holds, words) in enumerate(results, 1):
        print(f"{'ok' if holds else 'not ok'} {number} - {words}")
    return 0 if all(holds for holds, _ in results) else 1


def main():
    rows = compare(sys.argv[1])
    gpu = gpu_page.compare(sys.argv[1])
    found = odds.measure(sys.argv[1], gpu)
    widths = held_out.measure(sys.argv[1])
    text = page(rows, gpu, found, widths)
    if "--check" in sys.argv[2:]:
        return check(text, rows, gpu, [*odds.bounds(found), *held_out.bounds(widths)])
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
