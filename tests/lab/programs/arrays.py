"""A dataset in an HDF5 file, whole or by parts. Arguments: --rows N, --part ROWS (0: whole)."""

import argparse

import h5py
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=1000)
parser.add_argument("--part", type=int, default=0)
parser.add_argument("--make", action="store_true")
args = parser.parse_args()
if args.make:
    with h5py.File("train.h5", "w") as file:
        file.create_dataset("images", (args.rows, 4096), "f4", chunks=(64, 4096), compression="gzip")
    raise SystemExit
with h5py.File("train.h5") as file:
    images = file["images"]
    print(f"images {images.shape} {images.dtype}", flush=True)
    if args.part:
        mean = np.mean([images[i:i + args.part].mean() for i in range(0, args.rows, args.part)])
    else:
        mean = images[:].mean()
    print(f"mean {mean}")
print("done")
