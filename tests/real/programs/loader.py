"""A DataLoader whose worker dies. Argument: kill (a signal), hog (takes memory until the kernel
kills it) or none (a batch is larger than a small /dev/shm)."""

import os
import signal
import sys
import time

import torch
from torch.utils.data import DataLoader, Dataset

HOW = sys.argv[1]
kept = []


def fail():
    if HOW == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    while HOW == "hog":
        kept.append(bytearray(b"x") * (1 << 20))


class Images(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        if index == 20:
            time.sleep(1)  # until the batches made so far are fetched: they die with their maker
            fail()
        return torch.zeros(3, 512, 512) if HOW == "none" else torch.zeros(3, 8, 8)


def main():
    for batch in DataLoader(Images(), batch_size=4, num_workers=2):
        print(list(batch.shape), flush=True)


main()
