"""Logs to measure by, made up, of any size: logs.py KIND MB writes one to standard output."""

import random
import sys

import dumps

WORDS = ("batch queue worker prefetch tensor shape read cache image decode shard graph session "
         "epoch plan buffer stream kernel layer weights").split()


def stamp(i):
    return f"2026-01-02 {3 + i // 3600 % 20:02}:{i // 60 % 60:02}:{i % 60:02}"


def application(r, i):
    """What programs say that is neither progress nor memory."""
    kind = r.random()
    if kind < 0.3:
        return f"{stamp(i)},{r.randrange(1000):03} - data - INFO - read shard {r.randrange(9999)} of " \
               f"/data/images/train-{r.randrange(10 ** 6):06}.tfrecord in {r.random():.3f}"
    if kind < 0.55:
        return "DEBUG:root:" + " ".join(r.choice(WORDS) for _ in range(10))
    if kind < 0.7:
        return f"I{r.randrange(1000, 1231)} {stamp(i)[11:]}.{r.randrange(10 ** 6):06} {r.randrange(9999)} " \
               f"server.cc:{r.randrange(999)}] accepted 10.0.{r.randrange(256)}.{r.randrange(256)}:{r.randrange(65536)}"
    if kind < 0.8:
        return f"{stamp(i)}.{r.randrange(10 ** 6):06}: I tensorflow/core/platform/cpu_feature_guard.cc:142] " \
               f"This binary uses {r.choice(WORDS)} {r.choice(WORDS)}"
    if kind < 0.9:
        return f"  {r.choice(WORDS)}/{r.choice(WORDS)}_{i}:0  ({r.randrange(512)}, {r.randrange(512)})  ok"
    return f"10.0.0.{r.randrange(256)} - - [02/Jan/2026:{stamp(i)[11:]} +0000] \"GET /{r.choice(WORDS)}/{i} " \
           f"HTTP/1.1\" 200 {r.randrange(99999)}"


def progress(r, i):
    kind = i // 400 % 3
    if kind == 0:
        return f"Epoch {i // 500} step {i} loss {r.random() * 3:.4f} lr {r.random() * 1e-3:.2e} " \
               f"{r.random() * 10:.2f} it/s"
    if kind == 1:
        return f"{i % 500}/500 [=======>......................] - ETA: {r.randrange(60)}s - " \
               f"loss: {r.random():.4f} - accuracy: {r.random():.4f}"
    return f"{stamp(i)},{r.randrange(1000):03} - trainer - INFO - epoch {i // 500} [{i % 500}/500] " \
           f"loss: {r.random():.5f} memory: {4000 + i % 7}MiB"


def ordinary(r):
    """A run's output: mostly its own words, a step now and then."""
    i = 0
    while True:
        yield progress(r, i) if i % 20 == 0 else application(r, i)
        i += 1


def quiet(r):
    i = 0
    while True:
        yield application(r, i)
        i += 1


def steps(r):
    i = 0
    while True:
        yield progress(r, i)
        i += 1


def dense(r):
    """One dump after another, each of some thousand chunks."""
    while True:
        for line in dumps.dump(r, 4000, lambda: stamp(0)):
            yield line
        for _ in range(50):
            yield application(r, 0)


def dump(r):
    """One dump, as long as the log."""
    while True:
        for line in dumps.dump(r, 1 << 20, lambda: stamp(0)):
            yield line


def mixed(r):
    logs = [dense(r), ordinary(r), ordinary(r)]
    while True:
        for log in logs:
            for _ in range(5000):
                yield next(log)


def giant(r):
    """Lines of a megabyte."""
    i = 0
    while True:
        line, have = [], 0
        while have < 1 << 20:
            line.append(application(r, i))
            have += len(line[-1]) + 1
            i += 1
        yield " ".join(line)


KINDS = {"quiet": quiet, "ordinary": ordinary, "steps": steps, "dense": dense, "one dump": dump, "mixed": mixed,
         "one-line giants": giant}


def write(kind, size, file):
    """size bytes or a line more; what it writes depends on nothing else."""
    lines = KINDS[kind](random.Random(1))
    with open(file, "w", encoding="utf-8") as out:
        have = 0
        while have < size:
            line = next(lines)
            out.write(line + "\n")
            have += len(line) + 1


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(f"usage: logs.py KIND MB; kinds: {', '.join(KINDS)}")
    write(sys.argv[1], int(float(sys.argv[2]) * 1e6), "/dev/stdout")
