"""Trains a small network, saves a checkpoint every 20 steps, and at step 70 reads in more than there is.
argv: folder of the checkpoints."""

import os
import sys
import time

import torch

folder = sys.argv[1]
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
print("Number of parameters:", sum(p.numel() for p in model.parameters()), flush=True)
for step in range(1, 1001):
    loss = model(torch.randn(32, 64)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} step {step}/1000 loss {loss.item():.4f}", flush=True)
    if step % 20 == 0:
        path = os.path.join(folder, f"step_{step}.pt")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, path)
        print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} Saved checkpoint to {path}", flush=True)
    if step == 70:
        held = [torch.ones(1 << 20) for _ in range(4096)]
    time.sleep(0.05)
