"""Workers that each hold a large piece of memory of their own; the first argument names the pool."""
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

kind, count, megabytes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def copy_of_table(i):
    table = bytearray(os.urandom(1 << 20)) * megabytes
    time.sleep(2)
    return len(table)


def serve(name):
    table = bytearray(os.urandom(1 << 20)) * megabytes
    print(f"{name} (pid {os.getpid()}) has its index of {len(table) >> 20} MiB", flush=True)
    time.sleep(20)


if __name__ == "__main__":
    if kind == "executor":
        print(f"ProcessPoolExecutor(max_workers={count})", flush=True)
        with ProcessPoolExecutor(count) as pool:
            for i, n in enumerate(pool.map(copy_of_table, range(100))):
                print(f"job {i} done: {n} bytes", flush=True)
    elif kind == "spawn":
        print(f"spawning num_workers={count} data workers", flush=True)
        with multiprocessing.get_context("spawn").Pool(count) as pool:
            for n in pool.imap(copy_of_table, range(100)):
                print("batch", n, flush=True)
    elif kind == "processes":
        workers = [multiprocessing.Process(target=serve, args=(f"worker-{i}",)) for i in range(count)]
        print(f"starting {count} workers", flush=True)
        for worker in workers:
            worker.start()
            time.sleep(0.3)
        for worker in workers:
            worker.join()
            print(f"{worker.name} exited with code {worker.exitcode}", flush=True)
            if worker.exitcode:
                sys.exit(1)
