"""One of several processes that each take memory. Arguments: MiB, seconds."""

import os
import sys
import time

rank = os.environ.get("OMPI_COMM_WORLD_RANK", os.getpid())
print(f"rank {rank} reads {sys.argv[1]} MiB", flush=True)
table = bytearray(b"x") * (int(sys.argv[1]) << 20)
time.sleep(float(sys.argv[2]))
print(f"rank {rank} done", flush=True)
