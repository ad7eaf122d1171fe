"""Are ranges and odds as wide as errors are? Each family of networks is held out in turn: a factor on the
width of the printed range is taken from the errors of all others, and the odds of the held one are those
of Student's t with 4 degrees of freedom in the range so widened. src/estimate/odds.def has the factors of all
families together: what the program itself multiplies by."""

import csv
import json
import math
import multiprocessing.pool
import os
import re
import subprocess

import gpu_page

HERE = os.path.dirname(os.path.abspath(__file__))
T95 = 2.1318467863266499
SIZES = (0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.15, 1.25, 1.4, 1.6)
BINS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01)
KINDS = {"name": "NAMED", "graph": "GRAPH", "config.json": "CONFIG"}
LEAST = 0.2


def factors():
    with open(os.path.join(HERE, "..", "..", "src", "estimate", "odds.def"), encoding="utf-8") as file:
        found = re.findall(r"^OD_ODDS\((\w+), ([\d.]+), ([\d.]+), ([\d.]+)\)", file.read(), re.M)
    return {kind: tuple(float(x) for x in numbers) for kind, *numbers in found}


def family(name):
    name = re.sub(r"^(tf_|legacy_)", "", name.split(":")[-1])
    return re.match("[a-z_]*?[a-z]+", name).group(0)


def structural(said, low, high, below, above):
    """The range as its parts have it, before the program's factors."""
    return said, said * (low / said) ** (1 / below), said * (high / said) ** (1 / above)


def fits(range_, size, below=1.0, above=1.0):
    said, low, high = range_
    far = math.log(size / said)
    width = math.log(high / said) * above if far >= 0 else math.log(said / low) * below
    t = far / (width / T95)
    u = t / math.sqrt(4 + t * t)
    return 0.5 + 0.75 * (u - u ** 3 / 3)


def error(row):
    """In widths of the range; 0 between two batches of which one fits and one does not."""
    _, larger, smaller, truth = row
    if larger[0] <= truth < smaller[0]:
        return 0.0
    said, low, high = larger if truth < larger[0] or larger == smaller else smaller
    far = math.log(truth / said)
    return far / (math.log(high / said) if far >= 0 else math.log(said / low))


def quantile(values, share):
    values = sorted(abs(v) for v in values)
    return values[min(len(values) - 1, math.ceil(share * (len(values) + 1)) - 1)] if values else 1.0


def one_factor(errors):
    return (quantile(errors, 0.9),) * 2


def each_side(errors):
    return (max(LEAST, quantile([e for e in errors if e <= 0], 0.93)),
            max(LEAST, quantile([e for e in errors if e >= 0], 0.93)))


def peaks(rows, kind):
    """Of runs with room: (family, range, range, truth)."""
    factor = factors()[KINDS[kind]][0]
    for row in rows:
        if (row["kind"], row["metric"]) == (kind, "device"):
            range_ = structural(*row["range"], factor, factor)
            yield family(row["run"]), range_, range_, row["truth"]


def described():
    with open(os.path.join(HERE, "gpu", "runs.tsv"), encoding="utf-8") as file:
        known = {r["run"]: r for r in csv.DictReader(file, delimiter="\t")}
    with open(os.path.join(HERE, "gpu", "largest.tsv"), encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            name = row["name"].split(":")[-1]
            run = known.get(name, {"model": name, "options": "-"})
            vision = not run["model"].endswith(".json") and row["seq"] == "-"
            if vision and not row["name"].startswith("hf:") and run["model"] != "-":
                yield row, [run["model"], *([] if run["options"] == "-" else run["options"].split())]


def limits(program):
    """Of networks by name that ran out below a limit: the range of the largest batch that fitted, and of the
    smallest that did not."""
    _, below, above = factors()["NAMED"]

    def one(task):
        row, words = task
        found = []
        for batch in (row["fits"], row["fails"]):
            done = subprocess.run(
                [program, "plan", *words, "--batch", batch, "--precision", row["precision"], "--optimizer",
                 row["optimizer"], "--framework", "pytorch", "--device", "h100", "--metric", "reserved",
                 "--format", "json", "--quiet"], capture_output=True, text=True, check=False, cwd="/")
            if done.returncode:
                return None  # a network of our own
            said = json.loads(done.stdout)
            found.append(structural(said["at_limit_bytes"], *said["at_limit_bytes_range"], below, above))
        return family(row["name"]), *found, int(row["limit_gib"]) << 30
    with multiprocessing.pool.ThreadPool() as pool:
        return [row for row in pool.map(one, described()) if row]


def reliability(rows, fit):
    """(answers [said, true], share of ranges that hold, the factors of all)."""
    errors = [(row[0], error(row)) for row in rows]
    answers, held = [], 0
    for row, (_, own) in zip(rows, errors):
        below, above = fit([e for name, e in errors if name != row[0]])
        held += -below <= own <= above
        for size in SIZES:
            answers.append((fits(row[1 if size >= 1 else 2], size * row[3], below, above), size >= 1))
    return answers, held / len(rows), fit([e for _, e in errors])


def groups(program, rows):
    for kind in KINDS:
        yield f"{kind}, with room", list(peaks(rows, kind)), one_factor, KINDS[kind], (0, 0)
    yield "name, at the limit", limits(program), each_side, "NAMED", (1, 2)


def measure(program, rows):
    found = []
    for name, some, fit, kind, at in groups(program, rows):
        answers, held, all_ = reliability(some, fit)
        bins = []
        for least, most in zip(BINS, BINS[1:]):
            here = [a for a in answers if least <= a[0] < most]
            bins.append((len(here), sum(a[0] for a in here) / max(len(here), 1),
                         sum(a[1] for a in here) / max(len(here), 1)))
        found.append({"name": name, "rows": len(some), "families": len({r[0] for r in some}), "held": held,
                      "brier": sum((p - t) ** 2 for p, t in answers) / len(answers), "bins": bins,
                      "wanted": all_, "used": tuple(factors()[kind][i] for i in at)})
    return found


def table(found):
    heads = [f"{a:.1f} to {min(b, 1):.1f}" for a, b in zip(BINS, BINS[1:])]
    lines = ["| described by | runs | families | range holds | Brier score | " + " | ".join(heads) + " |",
             "| --- | ---: | ---: | ---: | ---: |" + " --- |" * len(heads)]
    for g in found:
        cells = [f"{n}: {said:.2f}, {true:.2f}" if n else "-" for n, said, true in g["bins"]]
        lines.append(f"| {g['name']} | {g['rows']} | {g['families']} | {100 * g['held']:.0f} % | {g['brier']:.3f} | "
                     + " | ".join(cells) + " |")
    return "\n".join(lines)


def bounds(found):
    for g in found:
        yield g["held"] >= 0.88, f"{g['name']}: ranges hold 88 % of the families held out"
        yield all(n < 15 or abs(said - true) <= 0.12 for n, said, true in g["bins"]), \
            f"{g['name']}: held out, no bin of 15 answers is off by more than 0.12"
        near = all(abs(a - b) <= 0.05 for a, b in zip(g["wanted"], g["used"]))
        words = " and ".join(f"{w:.2f}" for w in dict.fromkeys(g["wanted"]))
        yield near, f"{g['name']}: src/estimate/odds.def has what all families ask for, {words}"
