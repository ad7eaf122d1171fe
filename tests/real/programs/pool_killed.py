"""A worker of a process pool is killed."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor


def work(item):
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        print(list(pool.map(work, range(8))))
