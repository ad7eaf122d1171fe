"""Networks on the CPU: one is evaluated with its gradients on, one has an optimizer with states, and one is fed by
workers that keep what they decoded."""

import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
ways = parser.add_subparsers(dest="way", required=True)
tiles = ways.add_parser("tiles")
tiles.add_argument("--tiles", type=int, default=24)
tiles.add_argument("--side", type=int, default=384)
tiles.add_argument("--no-grad", action="store_true")
towers = ways.add_parser("towers")
towers.add_argument("--users", type=int, default=1500000)
towers.add_argument("--optimizer", default="adam")
volumes = ways.add_parser("volumes")
volumes.add_argument("--batch-size", type=int, default=4)
volumes.add_argument("--num-workers", type=int, default=8)
args = parser.parse_args()
print(args, flush=True)
torch.manual_seed(1)
torch.set_num_threads(1)


def predict(net):
    """The mean of each class in each tile, which hangs on to the whole tile's outputs."""
    means = []
    for i in range(args.tiles):
        y = net(torch.rand(1, 4, args.side, args.side))
        means.append(y.softmax(1).mean((2, 3)))
        print(f"tile {i}: water {means[-1][0, 0].item():.3f}", flush=True)
    return torch.cat(means)


def tiles_of():
    net = nn.Sequential(nn.Conv2d(4, 24, 3, padding=1), nn.ReLU(), nn.Conv2d(24, 24, 3, padding=1), nn.ReLU(), nn.Conv2d(24, 5, 1))
    net.eval()
    with torch.set_grad_enabled(not args.no_grad):
        print(predict(net).mean(0).tolist(), flush=True)


def train_towers():
    users = nn.Embedding(args.users, 64)
    make = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}[args.optimizer]
    optimizer = make(users.parameters(), lr=1e-3)
    print(f"parameters: {args.users * 64:,}", flush=True)
    for step in range(2):
        loss = users(torch.randint(0, args.users, (2048,))).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"step {step + 1} loss {loss.item():.4f}", flush=True)


class Volumes(Dataset):
    """Each worker keeps the volumes that it decoded."""

    def __init__(self):
        self.kept = {}

    def __len__(self):
        return 240

    def __getitem__(self, i):
        if i % 6 not in self.kept:
            self.kept[i % 6] = np.ones((96, 160, 160), dtype=np.float32)
        return torch.from_numpy(self.kept[i % 6][:8].copy())


def read_volumes():
    for i, batch in enumerate(DataLoader(Volumes(), args.batch_size, num_workers=args.num_workers)):
        if i % 10 == 0:
            print(f"batch {i + 1} {tuple(batch.shape)}", flush=True)


{"tiles": tiles_of, "towers": train_towers, "volumes": read_volumes}[args.way]()
print("done", flush=True)
