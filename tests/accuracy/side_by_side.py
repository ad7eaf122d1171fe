#!/usr/bin/env python3
"""Published peaks of language models beside what others' estimators say of the same rows.

    side_by_side.py OOMDOCTOR CASES.jsonl [GROUP] [--unsloth FILE]

A line of CASES is {"id", "group", "args", "truth": {"peak_bytes"}}; args are those of `oomdoctor plan`. Columns:
"formula" is weights and, when serving, the cache of keys and values (as hf-mem counts); "accelerate" is what
`accelerate estimate-memory` prints: the weights when serving, four times them when training with Adam. Both get the
parameters and the size of the cache that oomdoctor counts, so they differ by method alone. "unsloth" is the total of
FILE, a copy of studio/backend/utils/hardware/vram_estimation.py of unslothai/unsloth, for fine-tunes on one device of
models in public_models.tsv; a second line has oomdoctor on those rows alone."""

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import types

BYTES = {"float32": 4, "amp_bf16": 4, "amp_fp16": 4}
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "models", "public_models.tsv")
MANY = {"--fsdp", "--zero", "--tp", "--pp", "--objective", "--compile", "--offload-activations", "--image", "--"}
OPTIMIZERS = {"adam8bit": "adamw_8bit", "paged_adamw_8bit": "paged_adamw_8bit", "sgd": "sgd"}


def value(args, name, unsaid=None):
    return args[args.index(name) + 1] if name in args else unsaid


def estimates(program, case, folder):
    args = [os.path.join(folder, a[1:]) if a.startswith("@") else a for a in case["args"]]
    at = args.index("--") if "--" in args else len(args)
    run = subprocess.run([program, "plan", *args[:at], "--format", "json", "-q", *args[at:]], cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if run.returncode != 0:
        return None
    plan = json.loads(run.stdout)
    serves = not plan["config"]["training"]
    weights = plan["breakdown"]["parameters"]
    plain = plan["model"]["parameters"] * BYTES.get(value(args, "--precision"), 2)
    cache = (plan.get("serving") or {}).get("kv_bytes") or 0
    return {"oomdoctor": plan["peak_bytes"], "formula": weights + (cache if serves else 0),
            "accelerate": weights if serves else 4 * plain}


def configurations():
    """Of public models, by the last part of each name in small letters."""
    with open(MODELS, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {name.split("/")[-1].lower(): json.loads(row[3]) for row in rows if len(row) > 3 for name in row[0].split()}


def as_object(config):
    """With attributes, as transformers has them."""
    found = types.SimpleNamespace(**{k: as_object(v) if k == "text_config" else v for k, v in config.items()})
    for old, new in (("n_embd", "hidden_size"), ("n_layer", "num_hidden_layers"), ("n_head", "num_attention_heads")):
        if hasattr(found, old) and not hasattr(found, new):
            setattr(found, new, getattr(found, old))
    return found


def rule_of_unsloth(path):
    spec = importlib.util.spec_from_file_location("vram_estimation", path)
    rule = importlib.util.module_from_spec(spec)
    sys.modules["vram_estimation"] = rule
    spec.loader.exec_module(rule)
    models = configurations()

    def of(case):
        args = case["args"]
        config = models.get(args[0].split("/")[-1].lower())
        if not config or MANY & set(args) or "--inference" in args:
            return None
        arch = rule.extract_arch_config(as_object(config))
        if not arch:
            return None
        way = "qlora" if value(args, "--quantize") == "4" else "lora" if "--lora" in args else "full"
        again = value(args, "--checkpointing", "none") not in ("none", "selective")
        return rule.estimate_training_vram(arch, rule.TrainingVramConfig(
            training_method=way, batch_size=int(value(args, "--batch", "1")),
            max_seq_length=int(value(args, "--seq", "2048")), lora_rank=int(value(args, "--lora", "16")),
            gradient_checkpointing="true" if again else "none",
            optimizer=OPTIMIZERS.get(value(args, "--optimizer"), "adamw_torch"))).total
    return of


def main():
    words = sys.argv[1:]
    rule = None
    if "--unsloth" in words:
        at = words.index("--unsloth")
        rule = rule_of_unsloth(words[at + 1])
        del words[at:at + 2]
    if len(words) < 2:
        sys.exit(__doc__)
    wanted = words[2] if len(words) > 2 else "public"
    errors = {}
    with open(words[1], encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            truth = case["truth"].get("peak_bytes")
            if not truth or wanted not in case["group"]:
                continue
            found = estimates(os.path.abspath(words[0]), case, os.path.dirname(os.path.abspath(words[1])))
            kind = "serving" if {"--inference", "--"} & set(case["args"]) else "training"
            for name in ("oomdoctor", "formula", "accelerate"):
                errors.setdefault((kind, name), []).append(abs(found[name] / truth - 1) if found else 1)
            total = rule(case) if rule and found else None
            if total:
                errors.setdefault((kind, "unsloth"), []).append(abs(total / truth - 1))
                errors.setdefault((kind, "oomdoctor, rows of unsloth"), []).append(abs(found["oomdoctor"] / truth - 1))
    print(f"{'rows':40} {'':>5} {'median error':>13} {'within 10 %':>12}")
    for (kind, name), of in sorted(errors.items()):
        print(f"{kind + ', ' + name:40} {len(of):5} {100 * statistics.median(of):12.1f}% {sum(e <= 0.1 for e in of):12}")


main()
