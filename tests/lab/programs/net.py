"""A training loop in PyTorch with the knobs of the laboratory."""

import argparse
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=8)
parser.add_argument("--image-size", type=int, default=64)
parser.add_argument("--steps", type=int, default=12)
parser.add_argument("--num-workers", type=int, default=0)
parser.add_argument("--cache", type=int, default=0, help="MiB that each worker reads in")
parser.add_argument("--keep-graph", action="store_true")
parser.add_argument("--eval-batches", type=int, default=0)
parser.add_argument("--running-mean", action="store_true")
parser.add_argument("--weights", type=int, default=1, help="MiB")
parser.add_argument("--reload", action="store_true")
args = parser.parse_args()
print(args, flush=True)
torch.manual_seed(1)
torch.set_num_threads(1)


def rss():
    with open("/proc/self/statm", encoding="ascii") as text:
        return int(text.read().split()[1]) * 4096 / 2**20


class Images(Dataset):
    def __init__(self):
        self.cache = None

    def __len__(self):
        return args.steps * args.batch_size

    def __getitem__(self, index):
        if self.cache is None:
            self.cache = bytearray(b"x") * (args.cache << 20)
        return torch.zeros(3, args.image_size, args.image_size)


def load_again(model):
    print("Loading checkpoint last.pt", flush=True)
    model.load_state_dict(torch.load("last.pt"))
    print("Checkpoint loaded", flush=True)


def evaluate(model):
    outputs = []
    with torch.no_grad():
        for step in range(args.eval_batches):
            out = model(torch.zeros(args.batch_size, 3, args.image_size, args.image_size))
            outputs.append(out.mean() if args.running_mean else out)
            print(f"Validation: {step + 1}/{args.eval_batches} rss {rss():.0f} MiB", flush=True)


def main():
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 6, 1))
    model.extra = nn.Parameter(torch.zeros(args.weights, 1 << 18), requires_grad=False)
    if args.reload:
        torch.save(model.state_dict(), "last.pt")
        load_again(model)
        os.remove("last.pt")
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01)
    total = 0
    loader = DataLoader(Images(), batch_size=args.batch_size, num_workers=args.num_workers)
    for step, images in enumerate(loader):
        loss = model(images).square().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=args.keep_graph)
        optimizer.step()
        total = total + (loss if args.keep_graph else loss.item())
        print(f"step {step + 1}/{args.steps} loss {loss.item():.4f} rss {rss():.0f} MiB", flush=True)
    evaluate(model)
    print("done", flush=True)


main()
