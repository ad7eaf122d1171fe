"""Trains on sequences that get longer: from step 70 on a batch takes a dozen times the memory. Saves a
checkpoint every 20 steps, and goes on from one. --batch-size N --resume FILE --out DIR."""

import argparse
import os
import time

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--resume", default="")
parser.add_argument("--out", default=".")
args = parser.parse_args()

torch.manual_seed(1)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 512), torch.nn.ReLU(), torch.nn.Linear(512, 8))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
first = 1
if args.resume and os.path.exists(args.resume):
    saved = torch.load(args.resume)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    first = saved["step"] + 1
    print(f"continues behind step {saved['step']}", flush=True)
print("Number of parameters:", sum(p.numel() for p in model.parameters()), "batch_size:", args.batch_size, flush=True)
for step in range(first, 101):
    length = 100 if step < 70 else 6000
    loss = model(torch.randn(args.batch_size, length, 64)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    stamp = time.strftime("%Y-%m-%d %H:%M:%S")
    if step % 5 == 0:
        print(f"{stamp} step {step}/100 loss {loss.item():.4f}", flush=True)
    if step % 20 == 0:
        path = os.path.join(args.out, f"step_{step}.pt")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, path)
        print(f"{stamp} Saved checkpoint to {path}", flush=True)
print("Training finished", flush=True)
