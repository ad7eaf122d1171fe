#!/usr/bin/env python3
"""How many published peaks are within 10 % of the planner if what their pages leave unsaid were said?

    reach.py OOMDOCTOR CASES.jsonl [GROUP] [-v]

A case is as in peaks.jsonl. Options that a case lacks are tried with the values that are usual, one after the other, and
the one that comes nearest to the measured peak is kept: what a page says is never changed, but the kind of peak (of
tensors, of the pool, of the device) is tried, too, in a column of its own, since pages rarely name it. The share that is
reached is no accuracy: it says how much of the error a planner could at most lose by asking."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TRAINED = (("--checkpointing", "none", "full"), ("--lengths", "fixed", "varied"), ("--optimizer", "adamw", "adamw-fused", "adam8bit"),
           ("--lora-targets", "q_proj,v_proj", "all-linear"), ("--with attention", "eager", "sdpa"), ("--with lora_dropout", "0", "0.05"),
           ("--with bitsandbytes", "0.41", "0.45"), ("--with torch", "1.13", "2.4"), ("--with transformers", "4.30", "4.46"),
           ("--with trl", "0.20", "0.26"))
SERVED = (("--prompt", 0.02, 0.5, 0.95), ("--with attention", "eager", "sdpa"), ("--with transformers", "4.30", "4.46"))
METRIC = ("--metric", "allocated", "reserved", "device")


def ask(program, args):
    at = args.index("--") if "--" in args else len(args)
    run = subprocess.run([program, "plan", *args[:at], "--format", "json", "-q", *args[at:]], cwd=HERE, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(run.stdout) if run.returncode in (0, 1) else None


def after(args, name):
    return args[args.index(name) + 1] if name in args else None


def said(args, name):
    if name.startswith("--with "):
        return name.split()[1] + "=" in (after(args, "--with") or "")
    return name in args or (name == "--lora-targets" and "--lora" not in args) or (name == "--optimizer" and "--lora" in args)


def set_to(args, name, value):
    args = list(args)
    if isinstance(value, float):
        value = max(int(float(after(args, "--seq") or 2048) * value), 1)
    if name.startswith("--with "):
        word = f"{name.split()[1]}={value}"
        if "--with" not in args:
            return ["--with", word, *args]
        args[args.index("--with") + 1] += "," + word
        return args
    if name in args:
        args[args.index(name) + 1] = str(value)
        return args
    return [name, str(value), *args]


def nearest(program, args, truth, facts):
    """Sets each fact to the value that comes nearest, twice."""
    plan = ask(program, args)
    if not plan:
        return None
    best = abs(plan["peak_bytes"] / truth - 1)
    for name, *values in facts:
        tried = [(abs(found["peak_bytes"] / truth - 1), option) for option in (set_to(args, name, value) for value in values)
                 for found in [ask(program, option)] if found]
        if tried and min(tried)[0] < best:
            best, args = min(tried)
    return best, args


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    if len(words) < 2:
        sys.exit(__doc__)
    program, wanted = os.path.abspath(words[0]), words[2] if len(words) > 2 else ""
    counts = {}
    with open(words[1], encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    for case in cases:
        truth = case["truth"].get("peak_bytes")
        if not truth or wanted not in case["group"] or "--" in case["args"]:
            continue
        args = [os.path.join(HERE, a[1:]) if a.startswith("@") else a for a in case["args"]]
        first = nearest(program, args, truth, ())
        if not first:
            continue
        serves = "--inference" in args
        facts = [fact for fact in (SERVED if serves else TRAINED) if not said(args, fact[0])]
        told = nearest(program, args, truth, facts) if first[0] > 0.1 else first
        free = nearest(program, told[1], truth, (METRIC,)) if told[0] > 0.1 else told
        row = counts.setdefault("serving" if serves else "training", [0, 0, 0, 0])
        for i, reached in enumerate((True, first[0] <= 0.1, told[0] <= 0.1, free[0] <= 0.1)):
            row[i] += reached
        if "-v" in sys.argv and first[0] > 0.1:
            print(f"{case['id']:28} {100 * first[0]:5.0f} % {100 * told[0]:5.0f} % {100 * free[0]:5.0f} %")
    for kind, (n, *reached) in sorted(counts.items()):
        print(f"{kind}: {n} rows, within 10 %: as typed {reached[0]}, with what is unsaid {reached[1]}, and any metric {reached[2]}")


main()
