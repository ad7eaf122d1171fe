#!/usr/bin/env python3
"""Measures training runs on a GPU and writes runs.tsv, NAME.graph.jsonl.xz and NAME.json.

    gpu_runs.py all FOLDER [RUN...]     each run at two batches, one process a run

Wants a GPU of 40 GB or more, PyTorch, torchvision, timm, transformers and peft; nothing is fetched.
A run is four steps; zero_grad() comes before the forward pass, and in a second run behind it
(late). device is what NVML shows of the process, brought to the largest pool. Held runs were not
looked at while the planner was changed. Graphs are what `oomdoctor snippet pytorch` records."""

import contextlib
import json
import lzma
import os
import subprocess
import sys
import tempfile

import peft
import pynvml
import timm
import torch
import torchvision
import transformers
from torch.nn.functional import cross_entropy, mse_loss

from gpu_nets import Diffusion, Series, Trained, UNet, Words

SNIPPET = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "cli", "snippet_pytorch.py"
)
FIELDS = """run batch held precision optimizer parameters allocated reserved device""".split()

# name: family, batches, precision, optimizer, more, GiB at the larger batch or less, held
RUNS = {
    "resnet50": ("vision", (32, 64), "float32", "momentum", {}, 8, 0),
    "resnet50-amp": ("vision", (64, 128), "amp_bf16", "momentum", {}, 8, 1),
    "vgg16": ("vision", (16, 32), "float32", "momentum", {}, 8, 1),
    "vgg16-notf32": ("vision", (16, 32), "float32", "sgd", {"tf32": False}, 9, 0),
    "efficientnet_b0": ("vision", (32, 96), "amp_bf16", "adamw", {}, 8, 0),
    "mobilenet_v2": ("vision", (32, 64), "float32", "adamw-fused", {}, 7, 1),
    "densenet121": ("vision", (16, 48), "float32", "momentum", {"tf32": False}, 9, 1),
    "convnext_tiny": ("vision", (16, 64), "amp_bf16", "adamw-fused", {}, 9, 0),
    "vit_b_16": ("vision", (16, 48), "float32", "adamw", {}, 9, 1),
    "vit_b_16-amp": ("vision", (32, 96), "amp_bf16", "adamw", {}, 10, 0),
    "timm:vit_base_patch16_224-ckpt": ("vision", (32, 128), "amp_bf16", "adamw", {"ckpt": 1}, 7, 1),
    "swin_t": ("vision", (16, 64), "amp_bf16", "adamw", {}, 10, 1),
    "swin_t-32": ("vision", (16, 32), "float32", "adamw-fused", {}, 8, 0),
    "r3d_18": ("vision", (4, 12), "float32", "momentum", {}, 8, 0),
    "regnet_y_1_6gf": ("vision", (32, 96), "float32", "momentum", {"bench": True}, 9, 1),
    "timm:maxvit_tiny_tf_224": ("vision", (8, 32), "amp_bf16", "adamw", {}, 9, 0),
    "fcn_resnet50": ("vision", (2, 6), "float32", "sgd", {}, 9, 0),
    "unet": ("own", (2, 8), "float32", "adam", {}, 9, 1),
    "unet-amp": ("own", (4, 16), "amp_fp16", "adamw", {}, 9, 0),
    "diffusion": ("own", (4, 16), "float32", "adamw", {}, 9, 0),
    "diffusion-amp": ("own", (8, 32), "amp_bf16", "adamw-fused", {}, 9, 1),
    "lstm": ("recurrent", (32, 128), "float32", "adam", {}, 5, 1),
    "gru": ("recurrent", (64, 256), "float32", "adam", {}, 6, 0),
    "gpt2": ("language", (2, 8), "float32", "adamw", {"seq": 1024}, 18, 0),
    "gpt2-amp": ("language", (4, 12), "amp_bf16", "adamw-fused", {"seq": 1024}, 20, 1),
    "gpt2-medium-ckpt": ("language", (4, 16), "amp_bf16", "adamw", {"seq": 1024, "ckpt": 1}, 22, 0),
    "bert-base": ("language", (16, 64), "float32", "adamw", {"seq": 128}, 10, 1),
    "bert-large-mlm": ("language", (4, 12), "amp_fp16", "adamw", {"seq": 512}, 16, 0),
    "llama-1b": ("language", (1, 3), "bf16_true", "adamw-fused", {"seq": 2048}, 24, 1),
    "qwen-half-b": ("language", (1, 3), "amp_bf16", "adamw", {"seq": 1024}, 22, 0),
    "llama-1b-lora-qv": (
        "language",
        (2, 8),
        "bf16_true",
        "adamw",
        {"seq": 1024, "lora": "qv"},
        22,
        0,
    ),
    "llama-1b-lora-all": (
        "language",
        (2, 6),
        "bf16_true",
        "adamw",
        {"seq": 1024, "lora": "all"},
        24,
        1,
    ),
    "llama-1b-lora-ckpt": (
        "language",
        (4, 16),
        "bf16_true",
        "adamw",
        {"seq": 1024, "lora": "all", "ckpt": 1},
        22,
        0,
    ),
    "t5-small": ("language", (16, 48), "float32", "adamw", {"seq": 256}, 18, 1),
    "gpt2-compile": (
        "language",
        (4, 12),
        "amp_bf16",
        "adamw-fused",
        {"seq": 1024, "compile": 1},
        20,
        1,
    ),
}


def language(name, more):
    base = name.split("-")[0]
    if name.startswith("gpt2-medium"):
        config = transformers.GPT2Config(n_embd=1024, n_layer=24, n_head=16)
    elif base == "gpt2":
        config = transformers.GPT2Config()
    elif name == "bert-base":
        config = transformers.BertConfig(num_labels=2)
    elif name == "bert-large-mlm":
        config = transformers.BertConfig(
            hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
        )
    elif base == "llama":
        config = transformers.LlamaConfig(
            hidden_size=2048,
            intermediate_size=5632,
            num_hidden_layers=22,
            num_attention_heads=32,
            num_key_value_heads=4,
            vocab_size=32000,
            max_position_embeddings=2048,
        )
    elif base == "qwen":
        config = transformers.Qwen2Config(
            hidden_size=896,
            intermediate_size=4864,
            num_hidden_layers=24,
            num_attention_heads=14,
            num_key_value_heads=2,
            vocab_size=151936,
            tie_word_embeddings=True,
        )
    elif base == "t5":
        config = transformers.T5Config(
            d_model=512,
            d_ff=2048,
            num_layers=6,
            num_heads=8,
            d_kv=64,
            vocab_size=32128,
            decoder_start_token_id=0,
        )
    kinds = {
        "gpt2": transformers.GPT2LMHeadModel,
        "llama": transformers.LlamaForCausalLM,
        "qwen": transformers.Qwen2ForCausalLM,
        "t5": transformers.T5ForConditionalGeneration,
    }
    kind = (
        transformers.BertForMaskedLM
        if name == "bert-large-mlm"
        else transformers.BertForSequenceClassification if base == "bert" else kinds[base]
    )
    config.use_cache = False
    model = kind(config)
    if more.get("lora") or name == "llama-1b":
        model = model.bfloat16()
    if more.get("lora"):
        targets = ["q_proj", "v_proj"] if more["lora"] == "qv" else "all-linear"
        model = peft.get_peft_model(
            model,
            peft.LoraConfig(
                r=16,
                lora_alpha=32,
                lora_dropout=0.05,
                target_modules=targets,
                task_type="CAUSAL_LM",
            ),
        )
    if more.get("ckpt"):
        inner = model.get_base_model() if more.get("lora") else model
        if more.get("lora"):
            inner.enable_input_require_grads()
        inner.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    text = config.to_json_string(use_diff=False)
    vocab, seq = config.vocab_size, more["seq"]

    def inputs(n, device):
        ids = (
            torch.zeros(n, seq, dtype=torch.long)
            if device == "meta"
            else torch.randint(1, vocab - 1, (n, seq))
        )
        rows = (ids,)
        if name == "bert-base":
            rows = (ids, torch.zeros(n, dtype=torch.long))
        return tuple(r.to(device) for r in rows)

    return Trained(model), inputs, lambda out, x: out, text


def vision(name, more):
    plain = name.split("-")[0]
    if name.startswith("timm:"):
        model = timm.create_model(plain[5:], pretrained=False)
        if more.get("ckpt"):
            model.set_grad_checkpointing(True)
    else:
        kw = {"weights": None}
        if plain.startswith("fcn"):
            kw.update(weights_backbone=None, num_classes=21)
        model = torchvision.models.get_model(plain, **kw)
    shape = (
        (3, 16, 112, 112)
        if plain == "r3d_18"
        else (3, 520, 520) if plain.startswith("fcn") else (3, 224, 224)
    )

    def inputs(n, device):
        return (
            (
                torch.zeros(n, *shape, device=device)
                if device == "meta"
                else torch.randn(n, *shape).to(device)
            ),
        )

    def loss(out, x):
        if isinstance(out, dict):
            out = out["out"]
        size = [out.shape[0]] + list(out.shape[2:])
        return cross_entropy(out, torch.zeros(size, dtype=torch.long, device=out.device))

    return model, inputs, loss, None


def own(name, more):

    def rand(device, *shape):
        return (
            torch.zeros(*shape, device=device)
            if device == "meta"
            else torch.randn(*shape).to(device)
        )

    def labels(out):
        return torch.zeros(
            [out.shape[0]] + list(out.shape[2:]), dtype=torch.long, device=out.device
        )

    if name.startswith("unet"):
        return (
            UNet(),
            lambda n, d: (rand(d, n, 3, 256, 256),),
            lambda out, x: cross_entropy(out, labels(out)),
            None,
        )
    if name.startswith("diffusion"):
        return (
            Diffusion(),
            lambda n, d: (rand(d, n, 4, 64, 64), torch.arange(n, device=d)),
            lambda out, x: mse_loss(out, x[0]),
            None,
        )
    if name == "lstm":
        return (
            Words(),
            lambda n, d: (torch.zeros(n, 200, dtype=torch.long, device=d),),
            lambda out, x: cross_entropy(out, labels(out)),
            None,
        )
    return Series(), lambda n, d: (rand(d, n, 500, 32),), lambda out, x: mse_loss(out, x[0]), None


def build(name, family, more):
    torch.manual_seed(0)
    return (language if family == "language" else vision if family == "vision" else own)(name, more)


def optimizer(word, parameters):
    ps = [p for p in parameters if p.requires_grad]
    kind, _, how = word.partition("-")
    more = {"fused": True} if how == "fused" else {}
    return {
        "sgd": lambda: torch.optim.SGD(ps, 1e-5, **more),
        "momentum": lambda: torch.optim.SGD(ps, 1e-5, momentum=0.9, **more),
        "adam": lambda: torch.optim.Adam(ps, 1e-6, **more),
        "adamw": lambda: torch.optim.AdamW(ps, 1e-6, **more),
    }[kind]()


def of_process():
    pynvml.nvmlInit()
    card = pynvml.nvmlDeviceGetHandleByIndex(0)
    return next(
        p.usedGpuMemory
        for p in pynvml.nvmlDeviceGetComputeRunningProcesses(card)
        if p.pid == os.getpid()
    )


def train(run, batch, late):
    """Four steps; zero_grad() behind the forward pass if late."""
    family, _, precision, how, more = run[:5]
    torch.backends.cudnn.benchmark = bool(more.get("bench"))
    torch.backends.cudnn.allow_tf32 = more.get("tf32", True)
    model, inputs, loss_of, _ = family
    model = model.cuda().train()
    steps = optimizer(how, model.parameters())
    amp = {"amp_bf16": torch.bfloat16, "amp_fp16": torch.float16}.get(precision)
    amp = torch.bfloat16 if more.get("lora") else amp
    scaler = torch.amp.GradScaler("cuda", enabled=precision == "amp_fp16")
    called = torch.compile(model) if more.get("compile") else model
    for _ in range(4):
        if not late:
            steps.zero_grad(set_to_none=True)
        x = inputs(batch, "cuda")
        with torch.autocast("cuda", dtype=amp) if amp else contextlib.nullcontext():
            out = called(*x)
            loss = loss_of(out, x)
        if late:
            steps.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(steps)
        scaler.update()
    torch.cuda.synchronize()


def measure(name, batch, late):
    family, _, precision, how, more, _, held = RUNS[name]
    built = build(name, family, more)
    parameters = sum(p.numel() for p in built[0].parameters())
    train((built,) + RUNS[name][1:], batch, late)
    reserved = torch.cuda.max_memory_reserved()
    device = reserved + of_process() - torch.cuda.memory_reserved()
    return [
        name,
        batch,
        held,
        precision,
        how,
        parameters,
        torch.cuda.max_memory_allocated(),
        reserved,
        device,
    ]


def record(name, folder):
    """The graph of the run, and its configuration where it has one."""
    family, _, _, _, more = RUNS[name][:5]
    model, inputs, loss_of, config = build(name, family, more)
    with open(SNIPPET, encoding="utf-8") as file:
        script = file.read().split("\n", 2)[2]  # without the two lines that are edited
    seen = []

    def make(n):
        seen.append(inputs(n, "meta"))
        return seen[-1]

    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        exec(
            compile(script, SNIPPET, "exec"),
            {"model": model, "INPUTS": make, "LOSS": lambda out: loss_of(out, seen[-1])},
        )
        with open("model.graph.jsonl", "rb") as file:
            graph = file.read()
    with lzma.open(os.path.join(folder, f"{name}.graph.jsonl.xz"), "wb", preset=9) as file:
        file.write(graph)
    if config:
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            file.write(config)


def everything(folder, names):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "runs.tsv"), "w", encoding="utf-8") as file:
        print(*FIELDS, "late", sep="\t", file=file)
        for name in names or RUNS:
            tasks = [[name, str(b), *late] for b in RUNS[name][1] for late in ([], ["late"])]
            for task in tasks + [[name, "graph", folder]]:
                done = subprocess.run(
                    [sys.executable, os.path.abspath(__file__), *task],
                    text=True,
                    stdout=subprocess.PIPE,
                    check=False,
                )
                print(*task, "failed" if done.returncode else "", file=sys.stderr)
                file.write(done.stdout if done.returncode == 0 else "")


def main():
    if sys.argv[1] == "all":
        everything(sys.argv[2], sys.argv[3:])
    elif sys.argv[2] == "graph":
        record(sys.argv[1], sys.argv[3])
    else:
        late = "late" in sys.argv[3:]
        print(*measure(sys.argv[1], int(sys.argv[2]), late), int(late), sep="\t")


if __name__ == "__main__":
    main()
