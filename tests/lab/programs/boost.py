"""Boosted trees on a table that is made up. Arguments: lightgbm or catboost, --rows N, --max-bin N."""

import argparse

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("library", choices=("lightgbm", "catboost"))
parser.add_argument("--rows", type=int, default=10000)
parser.add_argument("--features", type=int, default=40)
args = parser.parse_args()
print(args, flush=True)
data = np.random.random((args.rows, args.features)).astype(np.float32)
label = np.arange(args.rows) % 2
print(f"table of {data.nbytes >> 20} MiB", flush=True)
if args.library == "lightgbm":
    import lightgbm
    lightgbm.train({"objective": "binary", "num_threads": 1}, lightgbm.Dataset(data, label), 3)
else:
    import catboost
    catboost.CatBoostClassifier(iterations=3, thread_count=1, train_dir="/tmp", allow_writing_files=False).fit(data, label)
print("done")
