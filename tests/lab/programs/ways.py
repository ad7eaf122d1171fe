"""Other ways for a Python program to end. Arguments: what, how many, more."""

import os
import signal
import sys
import threading
import time

WHAT, N = sys.argv[1], int(sys.argv[2])


def deep(n):
    return 1 + deep(n + 1)


def records():
    cache = []
    for i in range(N):
        cache.append([f"record {i} {j}" for j in range(1000)])
        if i % 200 == 0:
            print(f"read {i}/{N} files", flush=True)
    return len(cache)


def survive():
    size = N
    for i in range(5):
        while True:
            try:
                batch = bytearray(b"x") * (size << 20)
                break
            except MemoryError:
                size //= 2
                print(f"out of memory, retrying with chunks of {size} MB", flush=True)
        print(f"chunk {i + 1}/5 ({len(batch)} bytes)", flush=True)


def threads():
    for _ in range(N):
        threading.Thread(target=time.sleep, args=(3,)).start()


def files():
    return len([open(sys.argv[0], encoding="utf-8") for _ in range(N)])


def report():
    """A healthy run that talks of memory."""
    for i in range(N):
        print(f"epoch {i + 1}/{N} loss {1 / (i + 1):.4f} mem 412MiB / 16384MiB, peak memory 1.2 GB", flush=True)
    print("memory check passed: no out-of-memory events")


def write():
    with open(sys.argv[3], "wb") as out:
        for _ in range(N):
            out.write(b"x" * 2**20)


print(f"starting {WHAT}", flush=True)
ways = {"deep": lambda: deep(0), "records": records, "survive": survive, "threads": threads, "files": files,
        "report": report, "write": write, "missing": lambda: open(f"missing_{N}.csv", encoding="utf-8"),
        "segv": lambda: os.kill(os.getpid(), signal.SIGSEGV), "interrupt": lambda: os.kill(os.getpid(), signal.SIGINT),
        "key": lambda: {}["learning_rate"], "spin": lambda: sum(range(N * 10**8)),
        "one": lambda: len(bytearray(b"x") * (N << 20)), "text": lambda: len(" ".join(["word"] * (N << 18)))}
print(WHAT, ways[WHAT](), "done")
