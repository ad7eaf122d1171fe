"""A small service in a group where another process holds nearly all memory (its name: indexer)."""
import ctypes
import os
import sys
import time

held = int(sys.argv[1])
if os.fork() == 0:
    ctypes.CDLL(None).prctl(15, sys.argv[2].encode(), 0, 0, 0)
    block = [bytearray(os.urandom(1 << 20)) for _ in range(held)]
    time.sleep(15)
    os._exit(0)
open("/proc/self/oom_score_adj", "w").write("900")
time.sleep(1)
kept = []
for i in range(1, 200):
    kept.append(bytearray(os.urandom(1 << 20)))
    print(f"service: request {i} done", flush=True)
    time.sleep(0.02)
