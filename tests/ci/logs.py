#!/usr/bin/env python3
"""Makes logs for a fleet from the samples: logs.py FOLDER COUNT [BYTES]. Each is a sample with other
numbers, a beginning of its own and progress before it, so that no two are the same."""

import os
import random
import re
import sys

TOP = os.environ.get("TOP_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))


def samples():
    folder = os.path.join(TOP, "samples")
    for name in sorted(os.listdir(folder)):
        if name.endswith((".log", ".txt")):
            with open(os.path.join(folder, name), encoding="utf-8", errors="surrogateescape") as text:
                yield text.read()


def steps(dice, most):
    """Lines of a run before it fails."""
    text, step = [f"run {dice.getrandbits(64):016x} starts\n"], 0
    size = len(text[0])
    while size < most:
        step += 1
        text.append(f"step {step} loss {dice.uniform(0.1, 9):.4f} lr 1e-{dice.randint(3, 6)} took {dice.uniform(.1, 2):.3f} s\n")
        size += len(text[-1])
    return "".join(text)


def make(log, dice, most):
    """The sample with another user and other line numbers of the program, behind some progress."""
    log = re.sub(r"\bline \d+\b", lambda _: f"line {dice.randint(1, 400)}", log)
    if len(log) > most:  # the end says most
        log = log[log.find("\n", len(log) - most) + 1:]
    return steps(dice, max(0, most - len(log))) + log


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 60000
    logs, dice = list(samples()), random.Random(20)
    os.makedirs(folder, exist_ok=True)
    for i in range(count):
        with open(os.path.join(folder, f"run-{i:05d}.log"), "w", encoding="utf-8", errors="surrogateescape") as out:
            out.write(make(logs[i % len(logs)], dice, most))


if __name__ == "__main__":
    main()
