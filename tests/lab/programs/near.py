"""Neighbors with scikit-learn. Arguments: --samples N, --algorithm A."""

import argparse

import numpy as np
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import pairwise_distances

parser = argparse.ArgumentParser()
parser.add_argument("--samples", type=int, default=1000)
parser.add_argument("--task", default="distances", choices=("distances", "clusters"))
args = parser.parse_args()
print(args, flush=True)
points = np.random.random((args.samples, 8))
if args.task == "distances":
    print(pairwise_distances(points).mean())
else:
    print(AgglomerativeClustering(3).fit(points).n_clusters_)
print("done")
