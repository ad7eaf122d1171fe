"""Trains in level memory, then validation collects the outputs of every batch."""
import sys
import numpy as np

rng = np.random.default_rng(0)
weights = rng.normal(size=(64, int(sys.argv[1]))).astype("float32")


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


for epoch in range(1, 3):
    for step in range(1, 101):
        loss = float((rng.normal(size=(32, 64)).astype("float32") @ weights).mean())
        if step % 25 == 0:
            print(f"epoch {epoch} train step {step}/100 loss {loss:.4f} rss {resident():.0f} MB", flush=True)
    outputs = []
    for batch in range(1, 2001):
        outputs.append(rng.normal(size=(32, 64)).astype("float32") @ weights)
        if batch % 20 == 0:
            print(f"epoch {epoch} validation {batch}/2000 rss {resident():.0f} MB", flush=True)
    print("accuracy", np.concatenate(outputs).mean())
