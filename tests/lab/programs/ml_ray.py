"""Tasks of Ray, each of so many MiB. Arguments: MiB of the store, MiB of a task, tasks, put or return."""

import sys

import numpy as np
import ray

STORE, SIZE, TASKS, HOW = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
ray.init(num_cpus=1, object_store_memory=STORE << 20, include_dashboard=False, log_to_driver=True)


@ray.remote
def work(i):
    return np.ones(SIZE << 17) if HOW == "return" else float(np.ones(SIZE << 17).sum())


parts = [work.remote(i) for i in range(TASKS)]
for i, part in enumerate(parts):
    got = ray.get(part)
    print(f"task {i + 1}/{TASKS} {np.sum(got):.0f}", flush=True)
print("done", flush=True)
