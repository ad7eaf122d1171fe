"""Trains a convolutional network on made up images; every way to run out of the card's memory."""

import argparse

import torch
from torch import nn

from card import DEVICE, cap, used

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--image-size", type=int, default=224)
parser.add_argument("--width", type=int, default=64)
parser.add_argument("--steps", type=int, default=8)
parser.add_argument("--accumulate", type=int, default=1)
parser.add_argument("--amp", action="store_true")
parser.add_argument("--checkpointing", action="store_true")
parser.add_argument("--keep-losses", action="store_true")
parser.add_argument("--keep-outputs", action="store_true")
parser.add_argument("--eval-batches", type=int, default=0)
parser.add_argument("--eval-batch-size", type=int, default=0)
parser.add_argument("--eval-gradients", action="store_true")
parser.add_argument("--keep-predictions", action="store_true")
parser.add_argument("--inference", action="store_true")
parser.add_argument("--no-grad", action="store_true")
parser.add_argument("--samples", type=int, default=0)
parser.add_argument("--data-on-device", action="store_true")
parser.add_argument("--resume", action="store_true")
parser.add_argument("--map-location", default=None)
parser.add_argument("--regression", type=int, default=0, help="targets")
parser.add_argument("--squeeze", action="store_true")
parser.add_argument("--models", type=int, default=0)
parser.add_argument("--free-models", action="store_true")
parser.add_argument("--varying", action="store_true")
parser.add_argument("--find-batch", action="store_true")
parser.add_argument("--classes", type=int, default=10)
parser.add_argument("--channels", type=int, default=3)
args = parser.parse_args()
print(args, flush=True)
cap()
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        layers, last = [], 3
        for i in range(4):
            layers.append(nn.Sequential(nn.Conv2d(last, width << i, 3, stride=1 + (i > 0), padding=1),
                                        nn.BatchNorm2d(width << i), nn.ReLU()))
            last = width << i
        self.blocks, self.head = nn.ModuleList(layers), nn.Linear(last, args.classes)

    def forward(self, x):
        for block in self.blocks:
            if args.checkpointing and self.training:
                x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)
        return self.head(x.mean((2, 3)))


def images(n, size=None):
    size = size or args.image_size
    return torch.randn(n, args.channels, size, size, device=DEVICE)


def sizes():
    for step in range(args.steps):
        yield args.image_size - 32 * (step * 5 % 7) if args.varying else args.image_size


def train(model, batch_size, data=None):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses, outputs, total = [], [], 0.0
    for step, size in enumerate(sizes()):
        for _ in range(args.accumulate):
            x = images(batch_size, size) if data is None else \
                data[step * batch_size % len(data):][:batch_size].to(DEVICE).float()
            y = torch.randint(0, 10, (len(x),), device=DEVICE)
            with torch.autocast(DEVICE.type, torch.bfloat16, enabled=args.amp):
                out = model(x)
                loss = nn.functional.cross_entropy(out, y) / args.accumulate
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if args.keep_losses:
            losses.append(nn.functional.cross_entropy(model(x), y))
        if args.keep_outputs:
            outputs.append(x)
        print(f"step {step + 1}/{args.steps} loss {loss.item():.4f} "
              f"{used('memory_allocated {} MiB')}", flush=True)


def evaluate(model):
    model.eval()
    predictions, right = [], 0
    print("Evaluating", flush=True)
    with torch.set_grad_enabled(args.eval_gradients):
        for step in range(args.eval_batches):
            features = images(args.eval_batch_size or args.batch_size)
            for block in model.blocks:
                features = block(features)
            right += model.head(features.mean((2, 3))).argmax(1).float().mean()
            if args.keep_predictions:
                predictions.append(features)
            print(f"validation batch {step + 1}/{args.eval_batches} {used('memory_allocated {} MiB')}",
                  flush=True)
    print("accuracy", float(right) / max(1, args.eval_batches), flush=True)


def infer(model):
    model.eval()
    with torch.set_grad_enabled(not args.no_grad):
        for step in range(args.steps):
            print(f"batch {step + 1}", model(images(args.batch_size)).argmax(1)[:4].tolist(), flush=True)


def resume(model):
    torch.save(model.state_dict(), "last.pt")
    print("resuming from last.pt", flush=True)
    state = torch.load("last.pt", map_location=args.map_location)
    model.load_state_dict(state)
    print("checkpoint loaded", flush=True)
    return None if args.map_location == "cpu" else state


def regress():
    """A target of the wrong shape is broadcast."""
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 1)).to(DEVICE)
    x, y = torch.randn(args.regression, 64, device=DEVICE), torch.randn(args.regression, device=DEVICE)
    for step in range(args.steps):
        out = model(x)
        loss = ((out.squeeze(1) if args.squeeze else out) - y).square().mean()
        loss.backward()
        print(f"step {step + 1} loss {loss.item():.4f}", flush=True)


def search():
    """A new model for each trial of a search."""
    kept = []
    for trial in range(args.models):
        model = Net(args.width + 8 * trial).to(DEVICE)
        train(model, args.batch_size)
        if not args.free_models:
            kept.append((model, images(args.batch_size)))
        print(f"trial {trial + 1}/{args.models} done, {used('memory_allocated {} MiB')}", flush=True)


def find_batch(model):
    size = args.batch_size
    while True:
        try:
            train(model, size)
            return
        except RuntimeError as error:
            print(f"batch size {size}: {error}", flush=True)
            torch.cuda.empty_cache()
            size //= 2
            print(f"retrying with batch size {size}", flush=True)


def main():
    if args.regression:
        regress()
    elif args.models:
        search()
    else:
        model = Net(args.width).to(DEVICE)
        print(model, flush=True)
        kept = resume(model) if args.resume else None
        data = None
        if args.samples:
            print(f"{args.samples} samples", flush=True)
            data = torch.zeros(args.samples, 3, args.image_size, args.image_size, dtype=torch.uint8)
            if args.data_on_device:
                data = data.to(DEVICE).float()
        if args.inference:
            infer(model)
        elif args.find_batch:
            find_batch(model)
        else:
            train(model, args.batch_size, data)
        evaluate(model)
        del kept
    print("done", flush=True)


main()
