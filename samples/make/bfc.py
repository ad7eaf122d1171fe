"""A best-fit-with-coalescing allocator, as TensorFlow's GPU allocator works, on imaginary memory.

It really allocates: requests are rounded to 256 bytes, chunks are split and merged, regions grow.
So the tables it prints add up because the allocations did, not because they were made to.
"""

ALIGN = 256
BINS = 21
SPLIT_REST = 128 << 20
END = 18446744073709551615


def rounded(n):
    return max(ALIGN, (n + ALIGN - 1) // ALIGN * ALIGN)


def bin_of(n):
    return min(BINS - 1, (max(n, ALIGN) // ALIGN).bit_length() - 1)


def human(n):
    """A size in the words of the producer: integer division but for the last step."""
    if n < 1024:
        return f"{n}B"
    units = "KMGTPE"
    i = 0
    while n >= 1024 * 1024:
        n //= 1024
        i += 1
    return f"{n / 1024:.1f}KiB" if i == 0 else f"{n / 1024:.2f}{units[i]}iB"


class OutOfMemory(Exception):
    def __init__(self, requested, op, shape, dtype):
        super().__init__(op)
        self.requested, self.op, self.shape, self.dtype = requested, op, shape, dtype


class Chunk:
    def __init__(self, handle, address, size, region):
        self.handle, self.address, self.size, self.region = handle, address, size, region
        self.requested = 0
        self.used = False
        self.prev = self.next = None


class Region:
    def __init__(self, address, size):
        self.address, self.size, self.first = address, size, None


class Allocator:
    def __init__(self, name, limit, base, growth=False, first=2 << 20, physical=None):
        self.name, self.limit, self.base = name, limit, base
        self.current = first if growth else limit // ALIGN * ALIGN
        self.physical = limit if physical is None else physical
        self.refused = []  # what the driver would not give, in order
        self.backpedalled = False
        self.regions = []
        self.bins = [[] for _ in range(BINS)]
        self.handles, self.next_handle = [], 0
        self.in_use = self.max_in_use = self.count = self.largest = 0

    # handles are recycled, last freed first

    def new_chunk(self, address, size, region):
        if self.handles:
            handle = self.handles.pop()
        else:
            handle, self.next_handle = self.next_handle, self.next_handle + 1
        return Chunk(handle, address, size, region)

    def pool(self):
        return sum(r.size for r in self.regions)

    def chunks(self):
        for region in self.regions:
            chunk = region.first
            while chunk:
                yield chunk
                chunk = chunk.next

    def driver(self, size):
        if self.pool() + size <= self.physical:
            return True
        self.refused.append(size)
        return False

    def extend(self, need):
        available = (self.limit - self.pool()) // ALIGN * ALIGN
        if need > available:
            return False
        grown = False
        while need > self.current:
            self.current *= 2
            grown = True
        size = min(self.current, available)
        given = self.driver(size)
        if not given and not self.backpedalled:
            self.backpedalled = True
            while not given:
                size = rounded(int(size * 0.9))
                if size < need:
                    break
                given = self.driver(size)
        if not given:
            return False
        if not grown:
            self.current *= 2
        address = self.base
        for region in self.regions:
            address = max(address, region.address + region.size)
        if self.regions:  # the driver aligns to 2 MiB and leaves holes
            address = (address + (34 << 20)) // (2 << 20) * (2 << 20)
        region = Region(address, size)
        region.first = self.new_chunk(address, size, region)
        self.regions.append(region)
        self.insert(region.first)
        return True

    def insert(self, chunk):
        self.bins[bin_of(chunk.size)].append(chunk)

    def remove(self, chunk):
        self.bins[bin_of(chunk.size)].remove(chunk)

    def find(self, need, requested):
        for free in self.bins[bin_of(need):]:
            for chunk in sorted(free, key=lambda c: (c.size, c.address)):
                if chunk.size >= need:
                    return self.take(chunk, need, requested)
        return None

    def take(self, chunk, need, requested):
        self.remove(chunk)
        if chunk.size >= 2 * need or chunk.size - need >= SPLIT_REST:
            rest = self.new_chunk(chunk.address + need, chunk.size - need, chunk.region)
            rest.prev, rest.next = chunk, chunk.next
            if rest.next:
                rest.next.prev = rest
            chunk.next, chunk.size = rest, need
            self.insert(rest)
        chunk.used, chunk.requested = True, requested
        self.in_use += chunk.size
        self.max_in_use = max(self.max_in_use, self.in_use)
        self.largest = max(self.largest, chunk.size)
        self.count += 1
        return chunk

    def alloc(self, n, op="", shape=None, dtype="float"):
        need = rounded(n)
        chunk = self.find(need, n)
        if not chunk and self.extend(need):
            chunk = self.find(need, n)
        if not chunk:
            raise OutOfMemory(n, op, shape, dtype)
        return chunk

    def try_alloc(self, n):
        """As for scratch space: None instead of a failure."""
        try:
            return self.alloc(n)
        except OutOfMemory:
            return None

    def merge(self, a, b):
        a.next = b.next
        if a.next:
            a.next.prev = a
        a.size += b.size
        self.handles.append(b.handle)

    def free(self, chunk):
        if not chunk:
            return
        chunk.used = False
        self.in_use -= chunk.size
        if chunk.next and not chunk.next.used:
            self.remove(chunk.next)
            self.merge(chunk, chunk.next)
        if chunk.prev and not chunk.prev.used:
            self.remove(chunk.prev)
            chunk = chunk.prev
            self.merge(chunk, chunk.next)
        self.insert(chunk)

    def occupancy(self):
        total, row, start = self.pool(), ["_"] * 100, 0

        def paint(address, size, letter):
            for i in range(address * 100 // total, (address + size - 1) * 100 // total + 1):
                row[i] = letter

        for region in self.regions:
            chunk = region.first
            while chunk:
                if chunk.used:
                    at = chunk.address - region.address + start
                    if chunk.size > chunk.requested:
                        paint(at + chunk.requested, chunk.size - chunk.requested, "x")
                    paint(at, chunk.requested, "*")
                chunk = chunk.next
            start += region.size
        return "".join(row)

    def verdict(self, requested):
        need = rounded(requested)
        free = [c.size for c in self.chunks() if not c.used]
        if need <= max(free, default=0):
            return "fits"
        if self.limit - self.pool() >= need:
            return "device_refused"
        return "fragmented" if need <= sum(free) else "exhausted"

    def check(self):
        """The identities every whole dump keeps; a failure is a mistake of this file."""
        used = 0
        for region in self.regions:
            at, chunk, before = region.address, region.first, None
            while chunk:
                assert chunk.address == at and chunk.prev is before
                assert chunk.used or not (before and not before.used), "unmerged neighbours"
                used += chunk.size if chunk.used else 0
                at, before, chunk = at + chunk.size, chunk, chunk.next
            assert at == region.address + region.size
        assert used == self.in_use
