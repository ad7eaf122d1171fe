"""Logs to measure by, made up, of any size: logs.py KIND MB writes one to standard output."""

import random
import sys

BFC = "tensorflow/core/common_runtime/bfc_allocator.cc"
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


def chunks(r):
    """One dump without end, as long as the log."""
    i = 0
    at = 0x7f5a00000000

    def say(line, text):
        return f"{stamp(i)}.{r.randrange(10 ** 6):06}: I {BFC}:{line}] {text}"
    yield say(457, "Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB (rounded to "
              "1073741824)requested by op model/conv/Conv2D").replace(": I ", ": W ")
    yield say(1004, "BFCAllocator dump for GPU_0_bfc")
    for b in range(21):
        yield say(1011, f"Bin ({256 << b}): \tTotal Chunks: 3, Chunks in use: 2. 3.0KiB allocated for chunks. "
                  "2.0KiB in use in bin. 2.0KiB client-requested in use in bin.")
    yield say(1040, f"Next region of size {1 << 40}")
    while True:
        size = 256 * r.choice((1, 1, 1, 2, 3, 8, 72, 576, 2304, 9216, 4 * r.randrange(1, 4000)))
        yield say(1060, f"{'Free ' if r.random() < 0.05 else 'InUse'} at {at:x} of size {size} next {i + 1}")
        at += size
        i += 1


def dense(r):
    """One dump after another, each of some thousand chunks."""
    while True:
        dump = chunks(r)
        for _ in range(4000):
            yield next(dump)
        yield f"{stamp(0)}.000000: I {BFC}:1065]      Summary of in-use Chunks by size: "
        yield f"{stamp(0)}.000000: I {BFC}:1072] Sum Total of in-use chunks: 10.00GiB"
        for _ in range(50):
            yield application(r, 0)


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


KINDS = {"quiet": quiet, "ordinary": ordinary, "steps": steps, "dense": dense, "mixed": mixed,
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
