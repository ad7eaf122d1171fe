#!/usr/bin/env python3
"""How wide must the planner's ranges be for people it has not seen? As far as its first answers were off.

    held_out.py OOMDOCTOR             prints the table of the page
    held_out.py OOMDOCTOR --write     writes the distances into src/estimate/widths.def
    held_out.py OOMDOCTOR --look N CASES    prints rows for first_looks.tsv: what is said of cases not seen before

first_looks.tsv has what was said of published peaks before anything was mended by them. Mechanisms that were mended since
say nothing of the next row, so a family's range reaches at least as far from the centre as nine in ten of its first looks
were off on each side, each project counted with the root of its number of rows. For the page, each look is compared with
distances taken from all others. A case is {"id", "args", "truth": {"peak_bytes"}, "source"}, as in peaks.jsonl; args are
those of `oomdoctor plan`. page.py --check fails where the table and the rows disagree."""

import collections
import json
import math
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "src", "estimate", "widths.def")
ROW = re.compile(r"^OD_WIDTH\((\w+), (.*), ([\d.]+), ([\d.]+)\)$", re.M)
ADDRESS = re.compile(r"(?:github\.com/|huggingface\.co/(?:datasets/)?)([\w.-]+)(?:/([\w.-]+))?|^([\w.-]+)/([\w.-]+)")
SHARE = 0.92  # on each side; 0.9 leaves two looks below what is promised when they are left out
Look = collections.namedtuple("Look", "look family project id said low high truth")


def used():
    with open(TABLE, encoding="utf-8") as file:
        return {name: (float(below), float(above)) for name, _, below, above in ROW.findall(file.read())}


def read():
    with open(os.path.join(HERE, "first_looks.tsv"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                look, family, project, name, *numbers = line.rstrip("\n").split("\t")
                yield Look(look, family, project, name, *map(float, numbers))


def family(plan, args):
    """As in widths.def, from what the plan says of itself."""
    config, said = plan["config"], " ".join(plan["assumptions"])
    if "the decoder makes each image" in said or "beside the denoiser" in said:
        return "PIPELINE_TRAINED" if config["training"] else "PIPELINE_SERVED"
    if plan["model"]["format"] != "hf_config":
        return None
    if config["training"]:
        return "OPEN" if config["objective"] or "whether blocks are recomputed" in said else "STATED"
    return "PAGED" if {"--running", "--mean-seq", "--kv-block", "--chunk"} & set(args) else "SERVED"


def ask(program, case):
    args = [os.path.join(HERE, a[1:]) if a.startswith("@") else a for a in case["args"]]
    at = args.index("--") if "--" in args else len(args)
    run = subprocess.run([program, "plan", *args[:at], "--format", "json", "-q", *args[at:]], cwd=HERE,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(run.stdout) if run.returncode in (0, 1) else None


def cases(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            if "peak_bytes" in case["truth"]:
                yield case


def note(program, look, path):
    for case in cases(path):
        plan = ask(program, case)
        kind = plan and family(plan, case["args"])
        if kind:
            found = ADDRESS.search(case["source"])
            project = next(filter(None, (found.group(2), found.group(4), found.group(1)))) if found else case["source"].split()[0]
            numbers = (plan["peak_bytes"], *plan["peak_bytes_range"], case["truth"]["peak_bytes"])
            print(look, kind, project.lower(), case["id"], *(f"{n / 1e9:.3f}" for n in numbers), sep="\t")


def distance(rows, over):
    """From the centre, as a logarithm, that holds SHARE of the rows on one side."""
    sources = collections.Counter(row.project for row in rows)
    far = sorted((max(math.log(row.truth / row.said) * (1 if over else -1), 0), sources[row.project] ** -0.5) for row in rows)
    total, sum_ = sum(weight for _, weight in far), 0.0
    for each, weight in far:
        sum_ += weight
        if sum_ >= SHARE * total:
            return each
    return 0.0


def both(rows):
    return distance(rows, False), distance(rows, True)


def reach(row, below, above):
    """The range that was said, reaching at least so far."""
    return min(row.low, row.said * math.exp(-below)), max(row.high, row.said * math.exp(above))


def measure(program):
    kinds, found, table = collections.defaultdict(list), [], used()
    for row in read():
        kinds[row.family].append(row)
    for name, rows in sorted(kinds.items()):
        left, ends = 0, [reach(row, *both(rows)) for row in rows]
        for row in rows:
            low, high = reach(row, *both([other for other in rows if other.look != row.look] or rows))
            left += low <= row.truth <= high
        found.append({"name": name, "rows": len(rows), "projects": len({row.project for row in rows}),
                      "held": sum(row.low <= row.truth <= row.high for row in rows), "left": left,
                      "was": statistics.median((row.high - row.low) / row.said for row in rows),
                      "width": statistics.median((high - low) / row.said for row, (low, high) in zip(rows, ends)),
                      "wanted": both(rows), "used": table.get(name, (0, 0))})
    plans = [(ask(program, case), case["truth"]["peak_bytes"]) for case in cases(os.path.join(HERE, "peaks.jsonl"))]
    ranges = [(plan["config"]["training"], *plan["peak_bytes_range"], truth) for plan, truth in plans if plan]
    return {"families": found, "open": {kind: (sum(low <= truth <= high for is_, low, high, truth in ranges if is_ == kind),
                                               sum(is_ == kind for is_, *_ in ranges)) for kind in (True, False)}}


def table(found):
    lines = ["| family | first looks | projects | range held | look left out | median width said | now | below | above |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for f in found["families"]:
        lines.append(f"| {f['name'].lower().replace('_', ', ')} | {f['rows']} | {f['projects']} | {f['held']} | {f['left']} | "
                     f"{100 * f['was']:.0f} % | {100 * f['width']:.0f} % | {100 * (1 - math.exp(-f['used'][0])):.0f} % | "
                     f"{100 * (math.exp(f['used'][1]) - 1):.0f} % |")
    rows, now, left = (sum(f[key] for f in found["families"]) for key in ("rows", "held", "left"))
    lines.append(f"| all | {rows} | | {now} | {left} | | | | |")
    (trained, of), (served, of_served) = found["open"][True], found["open"][False]
    return "\n".join([*lines, "", f"Of the rows in `peaks.jsonl`, which mechanisms were mended by, ranges hold {trained} of {of} "
                      f"(training) and {served} of {of_served} (serving)."])


def bounds(found):
    for f in found["families"]:
        near = all(abs(a - b) <= 0.005 for a, b in zip(f["wanted"], f["used"]))
        yield near, f"{f['name']}: src/estimate/widths.def has what first looks ask for, " \
                    f"{f['wanted'][0]:.2f} and {f['wanted'][1]:.2f}"
    yield sum(f["left"] for f in found["families"]) >= 0.85 * sum(f["rows"] for f in found["families"]), \
        "widths: with one look left out at a time, ranges hold 85 % of the published peaks"


def write(found):
    wanted = {f["name"]: f["wanted"] for f in found["families"]}
    with open(TABLE, encoding="utf-8") as file:
        text = file.read()
    text = ROW.sub(lambda m: f"OD_WIDTH({m[1]}, {m[2]}, {wanted.get(m[1], (0, 0))[0]:.2f}, "
                             f"{wanted.get(m[1], (0, 0))[1]:.2f})", text)
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    if "--look" in sys.argv[2:4]:
        return note(program, sys.argv[3], sys.argv[4])
    found = measure(program)
    print(table(found))
    if "--write" in sys.argv[2:]:
        write(found)
    return None


if __name__ == "__main__":
    main()
