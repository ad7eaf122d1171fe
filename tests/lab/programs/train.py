"""A training loop in NumPy with the knobs of the laboratory."""

import argparse
import os
import time

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--image-size", type=int, default=64)
parser.add_argument("--steps", type=int, default=20)
parser.add_argument("--data")
parser.add_argument("--mmap", action="store_true")
parser.add_argument("--stream", action="store_true")
parser.add_argument("--keep-outputs", action="store_true")
parser.add_argument("--eval-batches", type=int, default=0)
parser.add_argument("--running-mean", action="store_true")
parser.add_argument("--weights", type=int, default=1, help="MiB")
parser.add_argument("--reload", action="store_true")
parser.add_argument("--fall-back", action="store_true")
parser.add_argument("--save")
parser.add_argument("--classes", type=int, default=12)
parser.add_argument("--sleep", type=float, default=0)
args = parser.parse_args()
print(args, flush=True)


def rss():
    with open("/proc/self/statm", encoding="ascii") as text:
        return int(text.read().split()[1]) * 4096 / 2**20


def forward(batch):
    images = np.random.random((batch, 3, args.image_size, args.image_size)).astype(np.float32)
    hidden = np.maximum(images * 2 - 1, 0)
    return hidden * images


def train_step(batch, fall_back):
    while True:
        try:
            return forward(batch)
        except MemoryError as error:
            if not fall_back or batch == 1:
                raise
            batch //= 2
            print(f"MemoryError: {error}; going on with batch size {batch}", flush=True)


def evaluate():
    outputs = []
    for step in range(args.eval_batches):
        out = forward(args.batch_size)
        outputs.append(out.mean() if args.running_mean else out)
        print(f"validation {step + 1}/{args.eval_batches} rss {rss():.0f} MiB", flush=True)
    if outputs:
        print(f"validation done: {np.mean([out.mean() for out in outputs]):.4f}", flush=True)


def main():
    weights = np.ones(args.weights << 18, dtype=np.float32)
    if args.reload:
        print("loading checkpoint", flush=True)
        weights = np.concatenate([weights[:1], np.ones_like(weights[1:])])
        print("checkpoint loaded", flush=True)
    if args.data:
        print(f"loading {args.data} ({os.path.getsize(args.data)} bytes)", flush=True)
        if args.stream:
            sums = [np.fromfile(args.data, dtype=np.float32, count=1 << 18, offset=128 + (row << 20)).sum()
                    for row in range(os.path.getsize(args.data) >> 20)]
            print(f"read {len(sums)} rows one by one", flush=True)
        else:
            data = np.load(args.data, mmap_mode="r" if args.mmap else None)
            print(f"data {data.shape} {data.dtype}", flush=True)
    outputs = []
    for step in range(args.steps):
        out = train_step(args.batch_size, args.fall_back)
        if args.keep_outputs:
            outputs.append(out)
        time.sleep(args.sleep)
        label = step % 12
        assert label < args.classes, f"label {label} is not below {args.classes} classes"
        print(f"step {step + 1}/{args.steps} loss {out.mean():.4f} rss {rss():.0f} MiB", flush=True)
    evaluate()
    if args.save:
        np.save(args.save, weights)
    print("done", flush=True)


main()
