#!/usr/bin/env python3
"""Do the planner's ranges hold for people it has not seen? Published peaks, one source left out at a time.

    held_out.py OOMDOCTOR CASES.jsonl [GROUP]

A line of CASES is {"id", "group", "args", "truth": {"peak_bytes"}, "source"}; args are those of `oomdoctor plan`,
GROUP begins the names of the groups that count ("public-llm"). For each source the width of the ranges is taken from
the rows of all others: the smallest factor on the printed widths, on each side, that holds nine in ten of them. The
rows that were left out are then compared with ranges of that width. Printed are coverage and median width (upper
over lower end, less 1), as the program prints its ranges and with the factors of the others."""

import json
import math
import os
import statistics
import subprocess
import sys


def plan(program, case, folder):
    args = [os.path.join(folder, a[1:]) if a.startswith("@") else a for a in case["args"]]
    run = subprocess.run([program, "plan", "--format", "json", "-q", *args], cwd=folder, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False)
    if run.returncode not in (0, 1):
        return None
    found = json.loads(run.stdout)
    return found["peak_bytes"], *found["peak_bytes_range"]


def distance(row):
    """Of the truth, in widths of the range on its side."""
    said, low, high, truth = row
    far = math.log(truth / said)
    width = math.log(high / said) if far >= 0 else math.log(said / low)
    return abs(far) / max(width, 1e-3)


def factor(rows):
    """That holds nine in ten, each source with the same weight."""
    sources = {}
    for source, row in rows:
        sources.setdefault(source, []).append(distance(row))
    weighed = sorted((d, 1 / len(of)) for of in sources.values() for d in of)
    total, sum_ = sum(w for _, w in weighed), 0.0
    for d, w in weighed:
        sum_ += w
        if sum_ >= 0.9 * total:
            return d
    return 1.0


def widened(row, by):
    said, low, high, _ = row
    return said * (low / said) ** by, said * (high / said) ** by


def summary(rows):
    held = sum(low <= truth <= high for low, high, truth in rows)
    return f"{held:4} of {len(rows)}, width {100 * statistics.median(h / l - 1 for l, h, _ in rows):5.0f} %"


def read(program, path, wanted):
    rows = {"training": [], "serving": []}
    with open(path, encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            truth = case["truth"].get("peak_bytes")
            if truth and case["group"].startswith(wanted):
                said = plan(program, case, os.path.dirname(os.path.abspath(path)))
                kind = "serving" if {"--inference", "--"} & set(case["args"]) else "training"
                source = " ".join(case["source"].split()[:2])
                if said:
                    rows[kind].append((source, (*said, truth)))
                else:
                    print(f"refused: {case['id']}")
    return rows


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for kind, rows in read(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "public").items():
        as_printed, left_out = [], []
        for source in sorted({s for s, _ in rows}):
            own = [r for s, r in rows if s == source]
            by = factor([x for x in rows if x[0] != source])
            printed = [(r[1], r[2], r[3]) for r in own]
            wide = [(*widened(r, by), r[3]) for r in own]
            as_printed += printed
            left_out += wide
            print(f"{kind:9} {source[:44]:44} printed {summary(printed)}; x {by:.2f}: {summary(wide)}")
        print(f"{kind:9} {'all':44} printed {summary(as_printed)}; left out {summary(left_out)}")


main()
