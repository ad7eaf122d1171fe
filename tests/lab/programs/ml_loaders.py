"""A DataLoader whose dataset is a list in memory, or whose batches wait in shared memory."""

import argparse

import torch
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--num-workers", type=int, default=2)
parser.add_argument("--prefetch-factor", type=int, default=2)
parser.add_argument("--records", type=int, default=1000, help="of Python, which each worker's reading copies")
parser.add_argument("--length", type=int, default=1000)
parser.add_argument("--steps", type=int, default=200)
args = parser.parse_args()
print(args, flush=True)
torch.set_num_threads(1)


class Records(Dataset):
    def __init__(self):
        self.rows = [{"id": i, "text": [float(i + k) for k in range(20)]} for i in range(args.records)]

    def __len__(self):
        return args.steps * args.batch_size

    def __getitem__(self, index):
        total = sum(row["id"] + row["text"][3] for row in self.rows[index % 7::7])
        return torch.full((args.length,), float(total))


loader = DataLoader(Records(), args.batch_size, num_workers=args.num_workers,
                    prefetch_factor=args.prefetch_factor if args.num_workers else None)
print(f"{args.records} records, {len(loader)} batches", flush=True)
for step, batch in enumerate(loader):
    if step % 10 == 0:
        print(f"step {step + 1}/{len(loader)} {batch.mean().item():.1f}", flush=True)
print("done", flush=True)
