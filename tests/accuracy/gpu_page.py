"""Plans the runs of gpu/runs.tsv (measured by gpu_runs.py) and tells how right that is."""

import csv
import json
import multiprocessing.pool
import os
import subprocess

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gpu")
METRICS = ("allocated", "reserved", "device")


def graph_of(row):
    """The recorded step of a run: the same at any precision."""
    names = [row["run"]]
    for end in ("-amp", "-32", "-notf32"):
        names += [row["run"].removesuffix(end)]
    files = [os.path.join(HERE, f"{name}.graph.jsonl.xz") for name in names]
    return next((f for f in files if os.path.exists(f)), None)


def inputs(row):
    """How the run is described: (kind, words)."""
    options = [] if row["options"] == "-" else row["options"].split()
    model = row["model"]
    if model.endswith(".json"):
        yield "config.json", [os.path.join(HERE, model), *options]
    elif model != "-":
        yield "name", [model, *options]
    if graph_of(row):
        yield "graph", [graph_of(row)]


def plan(program, row, words, metric, late):
    # adapters were trained under autocast, which of a graph is told apart from 16 bits throughout
    cast = "lora" in row["run"] and ".graph." in words[0]
    precision = "amp_bf16" if cast else row["precision"]
    command = [program, "plan", *words, "--batch", row["batch"], "--precision", precision,
               "--optimizer", row["optimizer"].replace(" ", "-"), "--framework", "pytorch", "--device",
               "h100", "--metric", metric, "--format", "json", "--quiet"]
    if "--seq" in words:  # all samples of these runs have one length
        command += ["--lengths", "fixed"]
    if "--checkpointing" not in words:  # nor is anything recomputed unless a run says so
        command += ["--checkpointing", "none"]
    done = subprocess.run(command + (["--keep-gradients"] if late else []), capture_output=True,
                          text=True, check=True, cwd="/")
    return json.loads(done.stdout)


def tasks():
    with open(os.path.join(HERE, "runs.tsv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        for kind, words in inputs(row):
            for metric in METRICS:
                for late in ("", "_late") if metric == "allocated" else ("",):
                    if row[metric + late] != "-":
                        yield row, kind, words, metric, late


def compare(program):
    def one(task):
        row, kind, words, metric, late = task
        truth, said = int(row[metric + late]), plan(program, row, words, metric, late)
        low, high = said["peak_bytes_range"]
        return {"run": row["run"], "batch": row["batch"], "kind": kind, "metric": metric,
                "held": int(row["held"]), "error": said["peak_bytes"] / truth - 1,
                "covered": low <= truth <= high, "range": (said["peak_bytes"], low, high), "truth": truth}
    with multiprocessing.pool.ThreadPool() as pool:
        return pool.map(one, tasks())


def rank(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def line(name, metric, half, some):
    errors = [abs(r["error"]) for r in some]
    within, covered = (sum(x) / len(some) for x in ([e <= 0.1 for e in errors],
                                                   [r["covered"] for r in some]))
    return (f"| {name} | {metric} | {half} | {len(some)} | {within:.0%} | {rank(errors, 0.5):.1%} "
            f"| {rank(errors, 0.9):.1%} | {covered:.0%} |").replace("%", " %")


def table(rows):
    lines = ["| described by | metric | runs | rows | within 10 % | median error | 90th percentile "
             "| range holds |", "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for kind in ("name", "config.json", "graph"):
        for metric in METRICS:
            for half, held in (("looked at", 0), ("held out", 1), ("met later", 2)):
                some = [r for r in rows if (r["kind"], r["metric"], r["held"]) ==
                        (kind, metric, held)]
                lines += [line(kind, metric, half, some)] if some else []
    return "\n".join(lines)


def bounds(rows):
    for kind, most in (("name", 0.05), ("config.json", 0.05), ("graph", 0.05)):
        errors = [abs(r["error"]) for r in rows if (r["kind"], r["metric"]) == (kind, "allocated")]
        yield rank(errors, 0.5) <= most, f"allocated on a GPU, by {kind}: median error at most {most:.0%}"
