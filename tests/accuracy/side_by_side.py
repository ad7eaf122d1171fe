#!/usr/bin/env python3
"""Published peaks of language models beside what simple estimators say of the same rows.

    side_by_side.py OOMDOCTOR CASES.jsonl [GROUP]

A line of CASES is {"id", "group", "args", "truth": {"peak_bytes"}}; args are those of `oomdoctor plan`. Columns:
"formula" is weights and, when serving, the cache of keys and values (as hf-mem counts); "accelerate" is what
`accelerate estimate-memory` prints: the weights when serving, four times them when training with Adam. Both get the
parameters and the size of the cache that oomdoctor counts, so they differ by method alone."""

import json
import os
import statistics
import subprocess
import sys

BYTES = {"float32": 4, "amp_bf16": 4, "amp_fp16": 4}


def value(args, name):
    return args[args.index(name) + 1] if name in args else None


def estimates(program, case, folder):
    args = [os.path.join(folder, a[1:]) if a.startswith("@") else a for a in case["args"]]
    at = args.index("--") if "--" in args else len(args)
    run = subprocess.run([program, "plan", *args[:at], "--format", "json", "-q", *args[at:]], cwd=folder, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False)
    if run.returncode != 0:
        return None
    plan = json.loads(run.stdout)
    serves = not plan["config"]["training"]
    weights = plan["breakdown"]["parameters"]
    plain = plan["model"]["parameters"] * BYTES.get(value(args, "--precision"), 2)
    cache = (plan.get("serving") or {}).get("kv_bytes") or 0
    return {"oomdoctor": plan["peak_bytes"], "formula": weights + (cache if serves else 0),
            "accelerate": weights if serves else 4 * plain}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    wanted = sys.argv[3] if len(sys.argv) > 3 else "public"
    errors = {}
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            truth = case["truth"].get("peak_bytes")
            if not truth or wanted not in case["group"]:
                continue
            found = estimates(os.path.abspath(sys.argv[1]), case, os.path.dirname(os.path.abspath(sys.argv[2])))
            kind = "serving" if {"--inference", "--"} & set(case["args"]) else "training"
            for name in ("oomdoctor", "formula", "accelerate"):
                error = abs(found[name] / truth - 1) if found else 1
                errors.setdefault((kind, name), []).append(error)
    print(f"{'rows':24} {'':>5} {'median error':>13} {'within 10 %':>12}")
    for (kind, name), of in sorted(errors.items()):
        print(f"{kind + ', ' + name:24} {len(of):5} {100 * statistics.median(of):12.1f}% {sum(e <= 0.1 for e in of):12}")


main()
