"""Models fitted side by side, each with a copy of the table. Arguments: jobs, MiB of the table."""

import sys
import time

import numpy as np
from joblib import Parallel, delayed

JOBS, SIZE = int(sys.argv[1]), int(sys.argv[2])


def fit(seed):
    table = np.random.default_rng(seed).random((SIZE, 1 << 17))
    time.sleep(0.5)
    return table.mean()


print(f"Namespace(n_jobs={JOBS}, size={SIZE})", flush=True)
print(sum(Parallel(n_jobs=JOBS, backend="multiprocessing")(delayed(fit)(i) for i in range(8))), "done")
