"""Workers of a pool that each read the whole table. Arguments: workers, MiB of the table."""

import sys
import time
from concurrent.futures import ProcessPoolExecutor

WORKERS, SIZE = int(sys.argv[1]), int(sys.argv[2])


def work(part):
    table = bytearray(b"x") * (SIZE << 20)
    time.sleep(1)
    return table[part]


if __name__ == "__main__":
    print(f"preprocessing with {WORKERS} workers", flush=True)
    with ProcessPoolExecutor(WORKERS) as pool:
        print(sum(pool.map(work, range(2 * WORKERS))), "done")
