#!/usr/bin/env python3
"""Trains networks on the CPU under PyTorch's profiler and holds their largest moment against two
plans: of the step that `oomdoctor snippet pytorch` records, and of the profiler's trace.

    cpu_runs.py record FOLDER                      # with PyTorch and Kineto, with a GPU also there
    OOMDOCTOR=build/oomdoctor cpu_runs.py plan FOLDER > cpu.tsv

A run is three steps. cpu: the most that the profiler saw live, and the parameters and buffers, which
were there before; allocated, reserved: what a GPU says of the same run. Dropout runs as the fused
kernel does, whose mask has one byte an element."""

import gzip
import json
import os
import subprocess
import sys

import torch
from torch.nn import functional

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../real/programs")]
import measure
import torch_zoo

PROGRAM = os.environ.get("OOMDOCTOR", "oomdoctor")
SNIPPET = os.path.join(HERE, "../../src/cli/snippet_pytorch.py")
RUNS = [("resnet50_128", 16, "momentum"), ("vgg16_bn_112", 8, "sgd"), ("mobilenetv2_128", 8, "adam"),
        ("efficientnet_128", 8, "rmsprop"), ("densenet_wide_128", 4, "momentum"),
        ("unet32_128_bilinear", 4, "adam"), ("unet16_96", 8, "sgd"), ("inception32_128", 8, "adam"),
        ("convnext_96", 8, "adamw"), ("vit_96", 8, "adamw"), ("gpt_small", 32, "adamw"),
        ("gpt_long", 4, "adam"), ("encoder_small", 32, "adam"), ("lstm_words", 128, "adam"),
        ("gru_series", 128, "momentum"), ("mlp_relu", 1024, "adam"), ("decoder", 64, "adamw"),
        ("checkpointed", 64, "adamw"), ("frozen", 64, "sgd"), ("preact18_96", 8, "amsgrad")]


def loss_of(out):
    """Of maps by place, of sequences by step, else by sample."""
    size = out.shape[:-1] if out.dim() == 3 else [out.shape[0], *out.shape[2:]]
    target = torch.zeros(size, dtype=torch.long, device=out.device)
    return functional.cross_entropy(out.transpose(1, -1) if out.dim() == 3 else out, target)


def fused_dropout(x, p=0.5, training=True, inplace=False):
    return torch.native_dropout(x, p, True)[0] if training and p > 0 else x


def steps(model, inputs, optimizer):
    for _ in range(3):
        x = inputs()
        optimizer.zero_grad()
        loss_of(model(*x)).backward()
        optimizer.step()


def made(name, device):
    make, shape = torch_zoo.ZOO[name]
    return torch_zoo.built(make, shape).train().to(device), shape


def on(device, name, batch, optimizer):
    model, shape = made(name, device)
    steps(model, lambda: torch_zoo.inputs(shape, batch, device),
          measure.OPTIMIZERS[optimizer](p for p in model.parameters() if p.requires_grad))
    return model


def most(file):
    """Of a trace: what lived at once."""
    with gzip.open(file, "rt", encoding="utf-8") as text:
        events = json.load(text)["traceEvents"]
    live = peak = 0
    for event in events:
        if event.get("name") == "[memory]":
            live += event["args"]["Bytes"]
            peak = max(peak, live)
    return peak


def record(name, batch, optimizer):
    """Into this folder: NAME.run.json.gz, NAME.graph.jsonl, and NAME.json, which says the rest."""
    functional.dropout, dropout = fused_dropout, functional.dropout
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        model = on("cpu", name, batch, optimizer)
    profile.export_chrome_trace(f"{name}.run.json.gz")
    said = {"run": name, "batch": batch, "optimizer": optimizer, "version": torch.__version__,
            "cpu": most(f"{name}.run.json.gz"), "allocated": None, "reserved": None}
    if torch.cuda.is_available():
        functional.dropout = dropout
        on("cuda", name, batch, optimizer)
        said.update(allocated=torch.cuda.max_memory_allocated(),
                    reserved=torch.cuda.max_memory_reserved())
    model, shape = made(name, "cpu")
    with open(SNIPPET, encoding="utf-8") as file:
        script = file.read().splitlines()
    script[:2] = ["INPUTS = lambda n: inputs(shape, n, 'meta')", "LOSS = loss_of"]
    exec("\n".join(script), {"model": model, "shape": shape, "inputs": torch_zoo.inputs,
                              "loss_of": loss_of})
    os.rename("model.graph.jsonl", f"{name}.graph.jsonl")
    with open(f"{name}.json", "w", encoding="utf-8") as file:
        json.dump(said, file)


def planned(file, metric, more=()):
    done = subprocess.run([PROGRAM, "plan", file, "--metric", metric, "--device", "h100",
                           "--format", "json", "--quiet", *more],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def compare(folder):
    """One row a run: what was measured, and what each plan says of it."""
    for name, batch, optimizer in RUNS:
        files = [os.path.join(folder, name + end)
                 for end in (".json", ".graph.jsonl.xz", ".run.json.gz")]
        if not all(map(os.path.exists, files)):
            continue
        with open(files[0], encoding="utf-8") as file:
            row = json.load(file)
        for kind, path, more in (("graph", files[1], ["--batch", str(batch), "--optimizer", optimizer]),
                                 ("trace", files[2], [])):
            for metric in ("allocated", "reserved"):
                plan = planned(path, metric, more)
                row[f"{kind}_{metric}"] = plan["peak_bytes"]
                row[f"{kind}_{metric}_range"] = plan["peak_bytes_range"]
            row[f"{kind}_cpu"] = row[f"{kind}_allocated"] - plan["breakdown"]["workspace"]
        print(json.dumps(row), flush=True)


def main():
    how, folder = sys.argv[1:3]
    if how == "plan":
        compare(folder)
    elif how == "one":
        os.chdir(folder)
        record(sys.argv[3], int(sys.argv[4]), sys.argv[5])
    for run in RUNS if how == "record" else ():
        subprocess.run([sys.executable, os.path.abspath(__file__), "one", folder, *map(str, run)],
                       check=False)


if __name__ == "__main__":
    main()
