"""The first components of a tall table, by a decomposition of all of it."""

import argparse

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=20000)
parser.add_argument("--thin", action="store_true")
args = parser.parse_args()
table = np.random.default_rng(1).standard_normal((args.rows, 40))
print(f"{args.rows} rows, {table.shape[1]} columns ({table.dtype})", flush=True)


def components(a):
    u, s, vt = np.linalg.svd(a, full_matrices=not args.thin)
    return (u[:, :5] * s[:5]) @ vt[:5]


print(f"rest {np.abs(table - components(table)).mean():.4f}", flush=True)
print("done", flush=True)
