"""Tasks on a cluster of Dask, each of so many MiB. Arguments: MiB of a worker, MiB of a task, tasks."""

import sys

import distributed


def work(size):
    return len(bytearray(b"x") * (size << 20))


if __name__ == "__main__":
    limit, size, tasks = map(int, sys.argv[1:])
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, memory_limit=limit << 20,
                                  dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            print(client, flush=True)
            print(sum(client.gather(client.map(work, [size] * tasks, pure=False))), "done")
