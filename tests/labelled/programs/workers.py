"""Every worker of a pool loads its own copy of the table."""
import multiprocessing
import os
import sys
import time

table = None


def load(megabytes):
    global table
    table = bytearray(os.urandom(1 << 20) * megabytes)
    print(f"worker {os.getpid()}: loaded a table of {megabytes} MiB", flush=True)


def work(i):
    time.sleep(1)
    return table[i]


if __name__ == "__main__":
    count, megabytes = int(sys.argv[1]), int(sys.argv[2])
    print(f"starting {count} data workers", flush=True)
    with multiprocessing.Pool(count, load, (megabytes,)) as pool:
        pool.map(work, range(100))
