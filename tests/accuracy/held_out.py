#!/usr/bin/env python3
"""How wide must the planner's ranges be for people it has not seen? Published peaks, one source left out at a time.

    held_out.py OOMDOCTOR --write     writes the factors into src/estimate/widths.def

A row of peaks.jsonl is {"id", "group", "args", "truth": {"peak_bytes"}, "source"}; args are those of `oomdoctor plan`. A
source is a project: what its README, issues and pull requests tell counts as one. Rows are in families of what is run and
what is said of it, those of widths.def. A family's ranges are as wide as its rows ask for: on each side the smallest
factor that holds nine in ten of them, each project with the root of its number of rows. For the page, each project is
compared with ranges whose factors are taken from all others. page.py --check fails where the table and the rows disagree."""

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
ALSO = {"torchao": "ao", "torchtitan": "titan"}
LEAST, MOST = 1.0, 2.0  # few rows are no reason for a narrow range, nor an odd one for one without end


def factors():
    with open(TABLE, encoding="utf-8") as file:
        return {name: (float(below), float(above)) for name, _, below, above in ROW.findall(file.read())}


def project(source, before):
    """Of a row's note; "the same: ..." is that of the row before."""
    found = ADDRESS.search(source)
    if found:
        name = found.group(2) or found.group(4) or found.group(1) or found.group(3)
    else:
        name = re.sub(r"[^\w-]", "", source.split()[0])
    name = name.lower()
    return before if name in ("the", "a") and before else ALSO.get(name, name)


def family(plan, args):
    """As in widths.def, from what the plan says of itself."""
    config, said = plan["config"], " ".join(plan["assumptions"])
    again = config["checkpointing"] != "none"
    pipeline = "the decoder makes each image" in said or "text encoders and the decoder" in said
    if pipeline:
        return "PIPELINE_TRAINED" if config["training"] else "PIPELINE_SERVED"
    if plan["model"]["format"] != "hf_config":
        return None
    if not config["training"]:
        if {"--running", "--mean-seq", "--kv-block", "--chunk"} & set(args):
            return "PAGED"
        if config["quantize_bits"] or "stored at" in said:
            return "SERVED_PACKED"
        return "SERVED_DEVICE" if config["metric"] == "device" else "SERVED"
    if config["objective"]:
        return None
    if "whether blocks are recomputed" in said:
        return "OPEN_AGAIN" if again else "OPEN"
    if config["quantize_bits"]:
        return "PACKED"
    return "KEPT" if not again else "ADAPTERS" if config["lora_rank"] else "WHOLE"


def ask(program, case):
    args = [os.path.join(HERE, a[1:]) if a.startswith("@") else a for a in case["args"]]
    at = args.index("--") if "--" in args else len(args)
    run = subprocess.run([program, "plan", *args[:at], "--format", "json", "-q", *args[at:]], cwd=HERE,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(run.stdout) if run.returncode in (0, 1) else None


def read(program):
    """{family: [(project, said, low, high, truth)]}, low and high as the parts of an estimate add up to them."""
    rows, before, known = collections.defaultdict(list), "", factors()
    with open(os.path.join(HERE, "peaks.jsonl"), encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            before = project(case["source"], before)
            truth = case["truth"].get("peak_bytes")
            plan = ask(program, case) if truth else None
            kind = plan and family(plan, case["args"])
            if kind:
                said, (low, high) = plan["peak_bytes"], plan["peak_bytes_range"]
                below, above = known.get(kind, (1, 1))
                rows[kind].append((before, said, said * (low / said) ** (1 / below),
                                   said * (high / said) ** (1 / above), truth))
    return rows


def factor(rows, over):
    """That holds nine in ten on one side."""
    sources = collections.Counter(row[0] for row in rows)
    weighed = []
    for source, said, low, high, truth in rows:
        far, width = math.log(truth / said), math.log(high / said) if over else math.log(said / low)
        weighed.append((max(far if over else -far, 0) / max(width, 1e-3), sources[source] ** -0.5))
    total, sum_ = sum(w for _, w in weighed), 0.0
    for asked, weight in sorted(weighed):
        sum_ += weight
        if sum_ >= 0.9 * total:
            return min(max(asked, LEAST), MOST)
    return 1.0


def both(rows):
    return factor(rows, False), factor(rows, True)


def held(rows, below, above):
    """The number whose range holds, and the widths of all."""
    ends = [(said * (low / said) ** below, said * (high / said) ** above, truth) for _, said, low, high, truth in rows]
    return sum(low <= truth <= high for low, high, truth in ends), [high / low - 1 for low, high, _ in ends]


def measure(program):
    found, used = [], factors()
    for name, rows in sorted(read(program).items()):
        left = 0
        for source in {row[0] for row in rows}:
            others = [row for row in rows if row[0] != source] or rows
            left += held([row for row in rows if row[0] == source], *both(others))[0]
        below, above = used.get(name, (1, 1))
        now, widths = held(rows, below, above)
        found.append({"name": name, "rows": len(rows), "projects": len({row[0] for row in rows}), "held": now,
                      "left": left, "width": statistics.median(widths), "wanted": both(rows), "used": (below, above)})
    return found


def table(found):
    lines = ["| family | rows | projects | range holds | project left out | median width | below | above |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for f in found:
        lines.append(f"| {f['name'].lower().replace('_', ', ')} | {f['rows']} | {f['projects']} | {f['held']} | {f['left']} | "
                     f"{100 * f['width']:.0f} % | {f['used'][0]:.2f} | {f['used'][1]:.2f} |")
    rows, now, left = (sum(f[key] for f in found) for key in ("rows", "held", "left"))
    return "\n".join([*lines, f"| all | {rows} | | {now} | {left} | | | |"])


def bounds(found):
    for f in found:
        near = all(abs(a - b) <= 0.05 for a, b in zip(f["wanted"], f["used"]))
        yield near, f"{f['name']}: src/estimate/widths.def has what the rows ask for, " \
                    f"{f['wanted'][0]:.2f} and {f['wanted'][1]:.2f}"
    yield sum(f["left"] for f in found) >= 0.85 * sum(f["rows"] for f in found), \
        "widths: with one project left out at a time, ranges hold 85 % of the published peaks"


def write(found):
    wanted = {f["name"]: f["wanted"] for f in found}
    with open(TABLE, encoding="utf-8") as file:
        text = file.read()
    text = ROW.sub(lambda m: f"OD_WIDTH({m[1]}, {m[2]}, {wanted.get(m[1], (1, 1))[0]:.2f}, "
                             f"{wanted.get(m[1], (1, 1))[1]:.2f})", text)
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = measure(os.path.abspath(sys.argv[1]))
    print(table(found))
    if "--write" in sys.argv[2:]:
        write(found)


if __name__ == "__main__":
    main()
