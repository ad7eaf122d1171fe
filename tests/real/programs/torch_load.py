"""A checkpoint that is beyond the limit of the process. Argument: a folder to write it to."""

import resource
import sys

import torch

path = sys.argv[1] + "/weights.pt"
torch.save({"weight": torch.zeros(128, 1024, 1024)}, path)
with open("/proc/self/statm", encoding="ascii") as sizes:
    virtual = int(sizes.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (virtual + (100 << 20),) * 2)
torch.load(path)
