"""A figure for each epoch. Arguments: --epochs N, --close."""

import argparse
import resource

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--close", action="store_true")
args = parser.parse_args()
for epoch in range(args.epochs):
    figure = plt.figure(figsize=(10, 10))
    plt.imshow(np.random.random((1000, 1000)))
    figure.savefig("epoch.png")
    if args.close:
        plt.close(figure)
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"Epoch {epoch + 1}/{args.epochs} saved epoch.png, RSS {rss} MB", flush=True)
print("done")
