"""Takes memory until it is killed. Argument: the name it goes by."""

import sys

with open("/proc/self/comm", "w", encoding="utf-8") as comm:
    comm.write(sys.argv[1])
kept = []
while True:
    kept.append(bytearray(b"x") * (1 << 20))
