"""Boosted trees on a table that is made up. Arguments: --rows N, --jobs N, --max-bin N."""

import argparse

import numpy as np
import xgboost as xgb

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=100000)
parser.add_argument("--batch-size", type=int, default=0, help="rows at a time; 0: all")
args = parser.parse_args()
print(args, flush=True)


class Parts(xgb.DataIter):
    def __init__(self):
        self.at = 0
        super().__init__(cache_prefix="cache")

    def next(self, input_data):
        if self.at >= args.rows:
            return False
        n = min(args.batch_size, args.rows - self.at)
        self.at += n
        input_data(data=np.random.random((n, 40)).astype(np.float32), label=np.arange(n) % 2)
        return True

    def reset(self):
        self.at = 0


if args.batch_size:
    data = xgb.ExtMemQuantileDMatrix(Parts(), max_bin=16)
else:
    data = xgb.DMatrix(np.random.random((args.rows, 40)), label=np.arange(args.rows) % 2)
for i in range(3):
    xgb.train({"nthread": 1, "max_depth": 2, "max_bin": 16}, data, 1)
    print(f"[{i}] round {i + 1}/3", flush=True)
print("done")
