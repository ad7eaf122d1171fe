"""What the programs of this folder share: the card, and a share of it where nobody sees that."""

import os

import torch

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cap():
    """LAB_CAP: MiB that PyTorch may take."""
    limit = int(os.environ.get("LAB_CAP") or 0)
    if limit and DEVICE.type == "cuda":
        whole = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(min(1.0, limit * 2**20 / whole))


def used(words="allocated {} MiB"):
    """What PyTorch took of the card, in these words; without a card what the process holds of RAM."""
    if DEVICE.type == "cuda":
        return words.format(f"{torch.cuda.memory_allocated() / 2**20:.0f}")
    with open("/proc/self/statm", encoding="ascii") as text:
        return f"rss {int(text.read().split()[1]) * 4096 / 2**20:.0f} MiB"
