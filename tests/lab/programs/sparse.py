"""Sparse matrices that are made dense. Arguments: --rows N, --task dense or solve."""

import argparse

import numpy as np
import scipy.linalg
import scipy.sparse

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=1000)
parser.add_argument("--task", default="dense", choices=("dense", "solve"))
args = parser.parse_args()
links = scipy.sparse.random(args.rows, args.rows, 1e-4, format="csr", random_state=1)
print(f"{links.nnz} entries in {args.rows} rows", flush=True)
if args.task == "dense":
    print(links.toarray().sum())
else:
    print(scipy.linalg.solve(np.eye(args.rows), np.ones(args.rows)).sum())
print("done")
