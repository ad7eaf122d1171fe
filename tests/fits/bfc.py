"""TensorFlow's allocator of device memory, written again from its source (tsl/framework/
bfc_allocator.cc) and not from ours, so that one can be held against the other; and the dump that it
prints when a request fails."""

from bisect import bisect_left, insort

MIB = 1 << 20
UNSPLIT = 128 * MIB
END = 2**64 - 1


class Chunk:
    __slots__ = ("at", "size", "asked", "used", "before", "after", "handle", "grows")

    def __init__(self, at, size, handle):
        self.at, self.size, self.handle = at, size, handle
        self.asked = 0
        self.used = False
        self.before = self.after = None
        self.grows = False


class Bfc:
    def __init__(self, limit, growth):
        self.limit, self.growth = limit // 256 * 256, growth
        self.free, self.regions, self.spare = [], [], []
        self.handles = 0
        self.pool = self.in_use = self.most = self.count = self.largest = 0
        self.region = 2 * MIB if growth else self.limit
        self.base = 0x7F3A00000000

    def handle(self):
        if self.spare:
            return self.spare.pop()
        self.handles += 1
        return self.handles - 1

    def extend(self, size):
        room = (self.limit - self.pool) // 256 * 256
        if size > room:
            return False
        grew = False
        while size > self.region:
            self.region *= 2
            grew = True
        taken = min(self.region, room)
        if not grew:
            self.region *= 2
        chunk = Chunk(self.base, taken, self.handle())
        self.base += (taken + 0x1FFFFFF) // 0x2000000 * 0x2000000 + 0x2000000
        self.pool += taken
        self.regions.append((chunk.at, taken, chunk))
        insort(self.free, (chunk.size, chunk.at, chunk.handle, chunk))
        return True

    def find(self, size):
        at = bisect_left(self.free, (size, 0, 0))
        if at == len(self.free):
            return None
        chunk = self.free.pop(at)[3]
        if chunk.size >= 2 * size or chunk.size - size >= UNSPLIT:
            rest = Chunk(chunk.at + size, chunk.size - size, self.handle())
            chunk.size = size
            rest.before, rest.after = chunk, chunk.after
            if rest.after:
                rest.after.before = rest
            chunk.after = rest
            insort(self.free, (rest.size, rest.at, rest.handle, rest))
        return chunk

    def give_back(self):
        """Regions that are wholly free go before a request fails."""
        kept = []
        for region in self.regions:
            chunk = region[2]
            if not chunk.used and chunk.after is None:
                self.drop(chunk)
                self.spare.append(chunk.handle)
                self.pool -= region[1]
            else:
                kept.append(region)
        gone = len(kept) < len(self.regions)
        self.regions = kept
        return gone

    def drop(self, chunk):
        del self.free[bisect_left(self.free, (chunk.size, chunk.at, chunk.handle))]

    def take(self, asked, grows=False):
        size = max(1, (asked + 255) // 256) * 256
        chunk = self.find(size)
        if not chunk and self.extend(size):
            chunk = self.find(size)
        if not chunk and self.growth and self.give_back() and self.extend(size):
            chunk = self.find(size)
        if not chunk:
            return None
        chunk.used, chunk.asked, chunk.grows = True, asked, grows
        self.count += 1
        self.in_use += chunk.size
        self.most = max(self.most, self.in_use)
        self.largest = max(self.largest, chunk.size)
        return chunk

    def release(self, chunk):
        chunk.used = False
        self.in_use -= chunk.size
        after, before = chunk.after, chunk.before
        if after and not after.used:
            self.drop(after)
            self.join(chunk, after)
        if before and not before.used:
            self.drop(before)
            self.join(before, chunk)
            chunk = before
        insort(self.free, (chunk.size, chunk.at, chunk.handle, chunk))

    def join(self, first, second):
        first.size += second.size
        first.after = second.after
        if second.after:
            second.after.before = first
        self.spare.append(second.handle)

    def chunks(self):
        for at, size, chunk in sorted(self.regions, key=lambda r: r[0]):
            yield at, size, None
            while chunk:
                yield at, size, chunk
                chunk = chunk.after


def human(n):
    for shift, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if n >= 1 << shift:
            whole = n / (1 << shift)
            return f"{whole:.2f}{unit}" if shift > 10 else f"{whole:.1f}{unit}"
    return f"{n}B"


def bin_of(size):
    return min(20, max(0, (size // 256).bit_length() - 1))


def dump(bfc, asked, op, say):
    """The lines of a failed request, as version 2.11 prints them."""
    size = max(1, (asked + 255) // 256) * 256
    rows = [c for _, _, c in bfc.chunks() if c]
    say("W", 479, f"Allocator (GPU_0_bfc) ran out of memory trying to allocate {human(asked)} "
                  f"(rounded to {size})requested by op {op}\nIf the cause is memory fragmentation "
                  "maybe the environment variable 'TF_GPU_ALLOCATOR=cuda_malloc_async' will "
                  "improve the situation. \nCurrent allocation summary follows.\n"
                  "Current allocation summary follows.")
    say("I", 1034, "BFCAllocator dump for GPU_0_bfc")
    for number in range(21):
        inside = [c for c in rows if bin_of(c.size) == number]
        used = [c for c in inside if c.used]
        say("I", 1041, f"Bin ({256 << number}): \tTotal Chunks: {len(inside)}, Chunks in use: "
                       f"{len(used)}. {human(sum(c.size for c in inside))} allocated for chunks. "
                       f"{human(sum(c.size for c in used))} in use in bin. "
                       f"{human(sum(c.asked for c in used))} client-requested in use in bin.")
    say("I", 1057, f"Bin for {human(asked)} was {human(256 << bin_of(size))}, Chunk State: ")
    for at, length, chunk in bfc.chunks():
        if not chunk:
            say("I", 1070, f"Next region of size {length}")
            continue
        after = chunk.after.handle if chunk.after else END
        say("I", 1090, f"{'InUse' if chunk.used else 'Free '} at {chunk.at:x} of size "
                       f"{chunk.size} next {after}")
    say("I", 1095, "     Summary of in-use Chunks by size: ")
    sizes = {}
    for chunk in rows:
        if chunk.used:
            sizes[chunk.size] = sizes.get(chunk.size, 0) + 1
    for each, count in sorted(sizes.items()):
        say("I", 1098, f"{count} Chunks of size {each} totalling {human(each * count)}")
    say("I", 1102, f"Sum Total of in-use chunks: {human(bfc.in_use)}")
    say("I", 1104, f"total_region_allocated_bytes_: {bfc.pool} memory_limit_: {bfc.limit} "
                   f"available bytes: {bfc.limit - bfc.pool} curr_region_allocation_bytes_: "
                   f"{bfc.region}")
    say("I", 1110, "Stats: \n"
                   f"Limit:                {bfc.limit:>16}\nInUse:                {bfc.in_use:>16}\n"
                   f"MaxInUse:             {bfc.most:>16}\nNumAllocs:            {bfc.count:>16}\n"
                   f"MaxAllocSize:         {bfc.largest:>16}\nReserved:             {0:>16}\n"
                   f"PeakReserved:         {0:>16}\nLargestFreeBlock:     {0:>16}\n")
    say("W", 492, "*" * 90 + "____" + "*" * 6)
