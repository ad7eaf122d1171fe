"""Trains a small network, and keeps the outputs of every validation. Prints as people do."""
import sys

import torch
from torch import nn

LIMIT = float(sys.argv[1])


def rss():
    """Gigabytes, as psutil's memory_info().rss"""
    with open("/proc/self/statm", encoding="ascii") as text:
        return int(text.read().split()[1]) * 4096 / 1e9


def say(words):
    print(words, flush=True)


torch.manual_seed(1)
torch.set_num_threads(1)
model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 6, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
outputs = []
say(f"container memory limit: {LIMIT / 1024 ** 3:.2f} GiB")
say("model: 3 layers, batch size 4, workers 0")
for epoch in range(1, 1000):
    for step in range(1, 11):
        images = torch.randn(4, 3, 64, 64)
        loss = model(images).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say(f"epoch {epoch} step {step}/10 loss {loss.item():.4f} rss {rss():.3f} GB")
    with torch.no_grad():
        for _ in range(10):
            outputs.append(model(torch.randn(16, 3, 96, 96)))
    say(f"epoch {epoch} Validation: mean {float(outputs[-1].mean()):.4f}, {len(outputs)} batches")
