"""One of two spawned processes is killed."""

import os
import signal
import time

import torch.multiprocessing


def work(rank):
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)


if __name__ == "__main__":
    torch.multiprocessing.spawn(work, nprocs=2)
