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


def training(r):
    """A trainer's log in the proportions of real ones: mostly steps, then what is said around them."""
    i = 0
    while True:
        head = f"{stamp(i)},{r.randrange(1000):03} "
        kind = r.random()
        if kind < 0.62:
            yield f"{head}INFO [train.py:{r.choice((118, 121))}] epoch {i // 5000} step {i} loss {r.random() * 3:.4f} " \
                  f"lr {r.random() * 1e-3:.3e} grad_norm {r.random() * 4:.3f} {r.random() * 10:.2f} it/s"
        elif kind < 0.72:
            yield f"{head}INFO [data.py:64] read shard {r.randrange(9999):04} of /data/images/train-{r.randrange(10 ** 5):05}.tar " \
                  f"in {r.random():.3f} s"
        elif kind < 0.80:
            yield f"{head}DEBUG [loader.py:211] worker {r.randrange(8)} prefetched {r.randrange(64)} samples"
        elif kind < 0.86:
            yield f"[INFO|trainer.py:{r.randrange(1000, 4000)}] {stamp(i)} >> " + " ".join(r.choice(WORDS) for _ in range(6))
        elif kind < 0.92:
            yield f"  {r.choice(WORDS)}.{r.randrange(24)}.{r.choice(WORDS)}.weight  torch.Size([{r.randrange(4096)}, 1024])  ok"
        elif kind < 0.96:
            yield f"/usr/lib/python3.10/site-packages/lib/{r.choice(WORDS)}.py:{r.randrange(900)}: UserWarning: the {r.choice(WORDS)} " \
                  f"of a {r.choice(WORDS)} is deprecated"
        elif kind < 0.98:
            yield f"{head}INFO [eval.py:77] validation: accuracy {r.random():.4f} top5 {r.random():.4f} samples {r.randrange(50000)}"
        elif kind < 0.985:
            yield f"{head}INFO [train.py:190] saved checkpoint to /runs/exp1/step_{i:06}.ckpt ({r.randrange(900)} files)"
        else:
            yield ""
        i += 1


def tqdm(r):
    """A bar that is printed over itself: states end in CRs, an epoch in a line end."""
    i = 0
    while True:
        states = []
        for at in range(0, 500, 5):
            done = at * 10 // 500
            states.append(f"Epoch {i}: {at * 100 // 500:3}%|{'█' * done}{' ' * (10 - done)}| {at}/500 [{at // 60:02}:{at % 60:02}"
                          f"<{(500 - at) // 60:02}:{(500 - at) % 60:02}, {r.random() * 9 + 1:.2f}it/s, loss={r.random():.3f}]")
        yield "\r".join(states)
        i += 1


def keras(r):
    i = 0
    while True:
        if i % 100 == 0:
            yield f"Epoch {i // 100 + 1}/50"
        at, left = i % 100 * 10, 30 - i % 100 * 30 // 100
        yield f"{at:4}/1000 [{'=' * (30 - left)}>{'.' * left}] - ETA: {r.randrange(60)}s - loss: {r.random():.4f} - " \
              f"accuracy: {r.random():.4f}"
        i += 1


def prints(r):
    """Memory, printed by hand at each step."""
    i = 0
    while True:
        yield f"[step {i}] allocated: {4000 + r.randrange(500)}.{r.randrange(10)} MiB, reserved: {6000 + r.randrange(9)} MiB, " \
              f"max allocated: {5200 + r.randrange(9)} MiB"
        yield f"step {i}: loss {r.random():.4f}"
        i += 1


def docker(r):
    for i, line in enumerate(training(r)):
        text = line.replace('"', '\\"')
        yield f'{{"log":"{text}\\n","stream":"stderr","time":"2026-01-02T03:{i // 60 % 60:02}:{i % 60:02}.{r.randrange(10 ** 9):09}Z"}}'


def syslog(r):
    for i, line in enumerate(training(r)):
        yield f"Jan  2 {stamp(i)[11:]} node{r.randrange(4)} train[{4100 + r.randrange(3)}]: {line}"


def tracebacks(r):
    """Errors that are caught and printed, between steps."""
    lines, i = training(r), 0
    frames = [(f'  File "/home/user/project/{r.choice(WORDS)}/{r.choice(WORDS)}.py", line {r.randrange(900)}, in {r.choice(WORDS)}',
               f"    return self.{r.choice(WORDS)}({r.choice(WORDS)}, {r.choice(WORDS)}={r.randrange(99)})") for _ in range(60)]
    while True:
        for _ in range(12):
            yield next(lines)
        yield "Traceback (most recent call last):"
        for _ in range(r.randrange(3, 9)):
            yield from r.choice(frames)
        yield f"ValueError: {r.choice(WORDS)} {i} is not in the {r.choice(WORDS)}"
        i += 1


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


KINDS = {"quiet": quiet, "ordinary": ordinary, "training": training, "tqdm": tqdm, "keras": keras, "prints": prints,
         "docker": docker, "syslog": syslog, "tracebacks": tracebacks, "steps": steps, "dense": dense, "one dump": dump, "mixed": mixed,
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
