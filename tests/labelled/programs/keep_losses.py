"""Keeps a loss and its activations of every step: memory of the process grows."""
import sys
import numpy as np

rng = np.random.default_rng(0)
kept = []
weights = rng.normal(size=(256, 256))


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20


for step in range(1, 2001):
    x = rng.normal(size=(int(sys.argv[1]), 256))
    hidden = x @ weights
    kept.append((float((hidden ** 2).mean()), hidden))
    if step % 20 == 0:
        print(f"step {step}/2000 loss {kept[-1][0]:.3f} rss {resident():.0f} MB", flush=True)
