#!/usr/bin/env python3
"""Do the planner's ranges hold for people it has not seen? Published peaks, one source left out at a time.

    held_out.py OOMDOCTOR CASES.jsonl [GROUP]

A line of CASES is {"id", "group", "args", "truth": {"peak_bytes"}, "source"}; args are those of `oomdoctor plan`,
GROUP begins the names of the groups that count ("public-llm"). A source is a project: what its README, issues and
pull requests tell counts as one. Rows are in families of what is run and what is said of it. For each project the width
of a family's ranges is taken from the rows of all others: the smallest factor on the printed widths, on each side, that
holds nine in ten of them, each project with the root of its number of rows. The rows that were left out are then
compared with ranges of that width. Printed are coverage and median width (upper over lower end, less 1), as the program
prints its ranges and with the factors of the others, and the factor that all rows of a family ask for: above 1 its
ranges are too narrow. The program's widths are src/estimate/factors.def and pipeline.c."""

import collections
import json
import math
import os
import re
import statistics
import subprocess
import sys

ADDRESS = re.compile(r"(?:github\.com/|huggingface\.co/(?:datasets/)?)([\w.-]+)(?:/([\w.-]+))?|^([\w.-]+)/([\w.-]+)")
ALSO = {"torchao": "ao", "torchtitan": "titan"}
PIPELINE = re.compile("flux|diffusion|sdxl|cogv|pixart|wan|ssd|qwen-image|video", re.I)


def project(source, before):
    """Of a row's note; "the same: ..." is that of the row before."""
    found = ADDRESS.search(source)
    if found:
        name = found.group(2) or found.group(4) or found.group(1) or found.group(3)
    else:
        name = re.sub(r"[^\w-]", "", source.split()[0])
    name = name.lower()
    return before if name in ("the", "a") and before else ALSO.get(name, name)


def family(args):
    of = {name: args[args.index(name) + 1] for name in ("--checkpointing", "--metric") if name in args}
    serves = bool({"--inference", "--"} & set(args))
    if PIPELINE.search(args[0]):
        return "pipelines, serving" if serves else "pipelines, training"
    if serves:
        return f"serving, {'device' if of.get('--metric', 'device') == 'device' else 'tensors'}"
    way = "4 bits" if "--quantize" in args else "adapters" if "--lora" in args else "whole"
    again = of.get("--checkpointing", "none") != "none"
    return f"training {way}, {'checkpoints' if again else 'none stated'}"


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
    """That holds nine in ten."""
    sources = collections.Counter(source for source, _ in rows)
    weighed = sorted((distance(row), sources[source] ** -0.5) for source, row in rows)
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
    rows, before = collections.defaultdict(list), ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            before = project(case["source"], before)
            truth = case["truth"].get("peak_bytes")
            if truth and case["group"].startswith(wanted):
                said = plan(program, case, os.path.dirname(os.path.abspath(path)))
                if said:
                    rows[family(case["args"])].append((before, (*said, truth)))
                else:
                    print(f"refused: {case['id']}")
    return rows


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    all_printed, all_left = [], []
    families = read(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "public")
    for kind, rows in sorted(families.items()):
        as_printed, left_out = [], []
        for source in sorted({s for s, _ in rows}):
            own = [r for s, r in rows if s == source]
            by = factor([x for x in rows if x[0] != source] or rows)
            as_printed += [(r[1], r[2], r[3]) for r in own]
            left_out += [(*widened(r, by), r[3]) for r in own]
        print(f"{kind:31} {len({s for s, _ in rows}):3} projects  printed {summary(as_printed)}; "
              f"left out {summary(left_out)}; asks for x {factor(rows):.2f}")
        all_printed += as_printed
        all_left += left_out
    print(f"{'all':44} printed {summary(all_printed)}; left out {summary(all_left)}")


main()
