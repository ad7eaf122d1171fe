"""A kernel in Numba over an array that is copied to the card. Arguments: MiB, MiB at a time."""

import sys

import numpy as np
from numba import cuda

SIZE, PIECE = int(sys.argv[1]), int(sys.argv[2])


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


for start in range(0, SIZE, PIECE):
    x = cuda.device_array(min(PIECE, SIZE - start) << 18, np.float32)
    double[(x.size + 255) // 256, 256](x)
    cuda.synchronize()
    print(f"{start + PIECE} of {SIZE} MiB", flush=True)
    del x
print("done", flush=True)
