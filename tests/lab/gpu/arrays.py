"""Sums in CuPy, piece by piece or all at once."""

import argparse

import cupy

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=100000)
parser.add_argument("--batch-size", type=int, default=0, help="rows at a time; 0: all")
parser.add_argument("--steps", type=int, default=1)
parser.add_argument("--keep", action="store_true")
args = parser.parse_args()
print(args, flush=True)
kept = []
for step in range(args.steps):
    done, total = 0, 0.0
    while done < args.rows:
        n = min(args.batch_size or args.rows, args.rows - done)
        a = cupy.random.random((n, 1024), dtype=cupy.float32)
        total += float((a * 2 + 1).sum())
        done += n
        if args.keep:
            kept.append(a)
    print(f"step {step + 1}/{args.steps} {total:.1f} used {cupy.get_default_memory_pool().used_bytes() >> 20} MiB",
          flush=True)
print("done", flush=True)
