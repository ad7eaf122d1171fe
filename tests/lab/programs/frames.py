"""Decodes frames and remembers them. Arguments: --cache-size N (0: without an end), --frames N."""

import argparse
import functools

parser = argparse.ArgumentParser()
parser.add_argument("--cache-size", type=int, default=0)
parser.add_argument("--frames", type=int, default=400)
args = parser.parse_args()


@functools.lru_cache(maxsize=args.cache_size or None)
def decode(frame):
    return bytearray(b"x") * (4 << 20)


for i in range(args.frames):
    decode(i)
    print(f"frame {i + 1}/{args.frames} cache_size={args.cache_size}", flush=True)
print("done")
