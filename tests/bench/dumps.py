"""Whole dumps of TensorFlow's allocator, made up: every sum is what the chunks make."""

FILE = "tensorflow/core/common_runtime/bfc_allocator.cc"
NO_NEXT = (1 << 64) - 1
BASE = 0x7f5a00000000


def human(n):
    """As the allocator prints bytes."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n < 1024:
            return f"{n}B" if unit == "B" else f"{n:.2f}{unit}" if unit != "KiB" else f"{n:.1f}{unit}"
        n /= 1024
    return f"{n:.2f}TiB"


def bin_of(n):
    return min(20, max(0, (n // 256).bit_length() - 1))


def layout(r, nchunks):
    """(address, bytes, in use): a few tensors of sizes that come again, one in ten of its own."""
    again = [256 * n for n in (1, 1, 1, 2, 3, 8, 72, 576, 2304, 9216)]
    at = BASE
    for _ in range(nchunks):
        size = r.choice(again) if r.random() < 0.9 else 1024 * r.randrange(1, 4000)
        yield at, size, r.random() >= 0.05
        at += size


def dump(r, nchunks, stamp):
    """The lines of one dump; stamp() -> "2026-01-02 03:04:05"."""
    chunks = list(layout(r, nchunks))
    total = sum(size for _, size, _ in chunks)
    used = [size for _, size, in_use in chunks if in_use]

    def say(line, text, letter="I"):
        return f"{stamp()}.{r.randrange(10 ** 6):06}: {letter} {FILE}:{line}] {text}"
    yield say(457, "Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB (rounded to "
              "1073741824)requested by op model/conv/Conv2D", "W")
    yield say(1004, "BFCAllocator dump for GPU_0_bfc")
    for b in range(21):
        here = [(size, in_use) for _, size, in_use in chunks if bin_of(size) == b]
        held = [size for size, in_use in here if in_use]
        yield say(1011, f"Bin ({256 << b}): \tTotal Chunks: {len(here)}, Chunks in use: {len(held)}. "
                  f"{human(sum(size for size, _ in here))} allocated for chunks. {human(sum(held))} in use in bin. "
                  f"{human(sum(held))} client-requested in use in bin.")
    yield say(1027, "Bin for 1.00GiB was 256.00MiB, Chunk State: ")
    yield say(1040, f"Next region of size {total}")
    for i, (at, size, in_use) in enumerate(chunks):
        following = i + 1 if i + 1 < nchunks else NO_NEXT
        yield say(1060, f"{'InUse' if in_use else 'Free '} at {at:x} of size {size} next {following}")
    yield say(1065, "     Summary of in-use Chunks by size: ")
    for size in sorted(set(used)):
        n = used.count(size)
        yield say(1068, f"{n} Chunks of size {size} totalling {human(n * size)}")
    yield say(1072, f"Sum Total of in-use chunks: {human(sum(used))}")
    yield say(1074, f"total_region_allocated_bytes_: {total} memory_limit_: {total} available bytes: 0 "
              f"curr_region_allocation_bytes_: {2 * total}")
    yield say(1080, f"Stats: \nLimit: {total:16}\nInUse: {sum(used):16}\nMaxInUse: {sum(used):13}\n"
              f"NumAllocs: {nchunks:12}\nMaxAllocSize: {max(used):9}\nReserved: {0:13}\nPeakReserved: {0:9}\n"
              f"LargestFreeBlock: {0:5}\n")
    yield say(467, occupancy(chunks, total), "W")


def occupancy(chunks, total):
    cells = ["_"] * 100
    for at, size, in_use in chunks:
        if in_use:
            first, last = (at - BASE) * 100 // total, (at + size - 1 - BASE) * 100 // total
            cells[first:last + 1] = "*" * (last - first + 1)
    return "".join(cells)
