#!/usr/bin/env python3
"""What of a sample's memory a remedy leaves, over the public models: 5, 50, 95 %.

usage: prices.py OOMDOCTOR [EVERY]

The shares of src/answer/actions.c are these, rounded. Each EVERYth model (8) is planned with the remedy
and without; what grows with the batch is compared.
"""

import json
import subprocess
import sys

FEW, MANY = 8, 24


def peak(tool, model, batch, *options):
    run = subprocess.run([tool, "plan", model, "--batch", str(batch), "--device", "80GB", "--format", "json", *options],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    try:
        return json.loads(run.stdout)["peak_bytes"]
    except (ValueError, KeyError):
        return None


def grows(tool, model, *options):
    """Bytes of a sample, between two batches."""
    few, many = peak(tool, model, FEW, *options), peak(tool, model, MANY, *options)
    return (many - few) / (MANY - FEW) if few and many and many > few else None


def show(name, shares):
    shares = sorted(s for s in shares if s)
    at = [shares[min(len(shares) - 1, int(q * len(shares)))] for q in (0.05, 0.5, 0.95)]
    print(f"{name}: {at[0]:.2f} {at[1]:.2f} {at[2]:.2f} of {len(shares)} models")


def share(tool, model, usual, changed):
    before, after = grows(tool, model, *usual), grows(tool, model, *changed)
    return after / before if before and after else None


def main():
    tool, every = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8
    listed = subprocess.run([tool, "plan", "--models"], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    names = [line.split()[0] for line in listed if line.split() and not line.startswith((" ", "#"))]
    language = [n for n in names if "/" in n][::max(1, every // 2)]
    vision = [n for n in names if "/" not in n][::every]
    single = ("--precision", "float32")
    show("half the side", (share(tool, n, ("--image", "224x224"), ("--image", "112x112")) for n in vision))
    show("half the length", (share(tool, n, ("--seq", "1024"), ("--seq", "512")) for n in language))
    blocks = (share(tool, n, ("--seq", "1024"), ("--seq", "1024", "--checkpointing", "full")) for n in language)
    show("blocks recomputed", blocks)
    show("mixed, no scores", (share(tool, n, single, ("--precision", "amp_bf16")) for n in vision))
    show("mixed, scores", (share(tool, n, ("--seq", "1024", *single), ("--seq", "1024", "--precision", "amp_bf16")) for n in language))


main()
