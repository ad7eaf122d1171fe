"""Keeps a cache of features of which most go again, then runs a large batch."""

import argparse

import torch

from card import DEVICE, cap, used

parser = argparse.ArgumentParser()
parser.add_argument("--entries", type=int, default=600)
parser.add_argument("--batch-size", type=int, default=384)
parser.add_argument("--keep-every", type=int, default=4)
args = parser.parse_args()
print(args, flush=True)
cap()
cache = {i: torch.zeros(5, 1 << 18, device=DEVICE) for i in range(args.entries)}
print(f"{len(cache)} entries cached, {used()}", flush=True)
cache = {i: entry for i, entry in cache.items() if i % args.keep_every == 0}
print(f"{len(cache)} entries after eviction, {used()}", flush=True)
x = torch.zeros(args.batch_size, 64, 128, 128, device=DEVICE)
print(f"batch {tuple(x.shape)} {x.mean().item():.2f}", flush=True)
print("done", flush=True)
