"""A table in pandas with the knobs of the laboratory."""

import argparse

import numpy as np
import pandas as pd

parser = argparse.ArgumentParser()
parser.add_argument("what", choices=("read", "merge", "distances"))
parser.add_argument("--chunk-size", type=int, default=0)
parser.add_argument("--rows", type=int, default=1000)
parser.add_argument("--unique-keys", action="store_true", help="each row has a key of its own")
args = parser.parse_args()


def read():
    print("reading table.csv", flush=True)
    if args.chunk_size:
        return sum(part["a"].sum() for part in pd.read_csv("table.csv", chunksize=args.chunk_size))
    return pd.read_csv("table.csv")["a"].sum()


def merge():
    key = np.arange(args.rows) if args.unique_keys else np.zeros(args.rows, dtype=np.int8)
    left = pd.DataFrame({"key": key, "a": np.arange(args.rows)})
    print(f"joining {args.rows} rows", flush=True)
    return len(left.merge(left, on="key"))


def distances():
    points = np.random.random(args.rows)
    print(f"{args.rows} points", flush=True)
    return np.abs(points[:, None] - points[None, :]).mean()


print({"read": read, "merge": merge, "distances": distances}[args.what](), "done")
