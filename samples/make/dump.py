"""Prints an allocator's state in the syntax of an era of TensorFlow."""

from bfc import BINS, END, bin_of, human, rounded

# era: source path, and the line numbers its messages carry (any will do; they differ by release)
ERAS = {
    "0.12": ("tensorflow/core/common_runtime/bfc_allocator.cc",
             dict(bin=643, state=660, size=666, chunk=678, free=687, summary=693, row=696,
                  sum=700, stats=702, stars=274, oom=275)),
    "1.2": ("tensorflow/core/common_runtime/bfc_allocator.cc",
            dict(oom=273, bin=643, state=660, size=666, chunk=678, free=687, summary=693, row=696,
                 sum=700, stats=702, stars=277)),
    "1.13": ("tensorflow/core/common_runtime/bfc_allocator.cc",
             dict(oom=267, bin=597, state=613, size=619, chunk=632, free=632, summary=638, row=641,
                  sum=645, stats=647, stars=271)),
    "1.15": ("tensorflow/core/common_runtime/bfc_allocator.cc",
             dict(oom=419, bin=869, state=885, size=891, region=898, chunk=905, free=905,
                  summary=914, row=917, sum=921, pool=923, stats=929, stars=424)),
    "2.6": ("tensorflow/core/common_runtime/bfc_allocator.cc",
            dict(oom=457, dump=1004, bin=1011, state=1027, size=1033, region=1040, chunk=1060,
                 free=1060, summary=1065, row=1068, sum=1072, pool=1074, stats=1080, stars=468)),
    "2.12": ("tensorflow/tsl/framework/bfc_allocator.cc",
             dict(oom=479, dump=1034, bin=1041, state=1057, size=1063, region=1070, chunk=1090,
                  free=1090, summary=1095, row=1098, sum=1102, pool=1104, stats=1109, stars=491)),
    "2.16": ("external/local_tsl/tsl/framework/bfc_allocator.cc",
             dict(oom=482, dump=1039, bin=1046, state=1062, size=1068, region=1075, chunk=1095,
                  free=1095, summary=1100, row=1103, sum=1107, pool=1109, stats=1114, stars=494)),
}

OLD = ("0.12", "1.2")
NEW = ("2.6", "2.12", "2.16")


class Clock:
    """Microseconds that pass a little with every line."""

    def __init__(self, date, hour, minute, second):
        self.date = date
        self.us = ((hour * 60 + minute) * 60 + second) * 1000000 + 318407

    def wait(self, seconds):
        self.us += int(seconds * 1000000)

    def stamp(self):
        self.us += 11 + self.us % 7
        s, us = divmod(self.us, 1000000)
        return f"{self.date} {s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}.{us:06}: "


class Printer:
    """Collects lines; `era` decides their syntax. Without a clock there are no times (before 1.1)."""

    def __init__(self, era, clock=None):
        self.era, self.clock = era, clock
        self.path, self.numbers = ERAS[era]
        self.lines = []

    def raw(self, text=""):
        self.lines.extend(text.split("\n"))

    def log(self, level, where, text):
        stamp = self.clock.stamp() if self.clock else ""
        self.lines.append(f"{stamp}{level} {where}] {text}")

    def say(self, what, text, level="I"):
        self.log(level, f"{self.path}:{self.numbers[what]}", text)

    def out_of_memory(self, alloc, requested, op):
        head = f"Allocator ({alloc.name}) ran out of memory trying to allocate {human(requested)}"
        if self.era in NEW:
            self.say("oom", f"{head} (rounded to {rounded(requested)})requested by op {op}", "W")
            self.raw("If the cause is memory fragmentation maybe the environment variable "
                     "'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation. ")
            self.raw("Current allocation summary follows.\nCurrent allocation summary follows.")
        elif self.era == "1.15":
            self.say("oom", f"{head} (rounded to {rounded(requested)}).  "
                     "Current allocation summary follows.", "W")
        elif self.era != "0.12":
            self.say("oom", f"{head}.  Current allocation summary follows.", "W")

    def bin_table(self, alloc):
        for b in range(BINS):
            chunks = [c for c in alloc.chunks() if bin_of(c.size) == b]
            used = [c for c in chunks if c.used]
            if self.era in OLD:  # the tables of this age count free chunks only
                chunks, used = [c for c in chunks if not c.used], []
            size, asked = sum(c.size for c in chunks), sum(c.requested for c in chunks)
            dot = "" if self.era in OLD else "."
            extra = f" {human(asked)} client-requested for chunks." if self.era in OLD else ""
            self.say("bin", f"Bin ({256 << b}): \tTotal Chunks: {len(chunks)}, Chunks in use: "
                     f"{len(used)}{dot} {human(size)} allocated for chunks.{extra} "
                     f"{human(sum(c.size for c in used))} in use in bin. "
                     f"{human(sum(c.requested for c in used))} client-requested in use in bin.")

    def one_state(self, chunk):
        number = "" if self.era in OLD + ("1.13",) else \
            f" | bin_num: {-1 if chunk.used else bin_of(chunk.size)}"
        return (f"  Size: {human(chunk.size)} | Requested Size: {human(chunk.requested)} | "
                f"in_use: {int(chunk.used)}{number}")

    def state(self, alloc, requested):
        b = bin_of(rounded(requested))
        self.say("state", f"Bin for {human(requested)} was {human(256 << b)}, Chunk State: ")
        for chunk in sorted(alloc.bins[b], key=lambda c: (c.size, c.address)):
            text = self.one_state(chunk)
            for word, other in (("prev", chunk.prev), ("next", chunk.next)):
                text += f", {word}: {self.one_state(other)}" if other else ""
            self.say("size", text)

    def chunk(self, chunk):
        what = "chunk" if chunk.used else "free"
        after = chunk.next.handle if chunk.next else END
        word = "InUse" if chunk.used else "Free "
        if self.era in NEW:
            self.say(what, f"{word} at {chunk.address:x} of size {chunk.size} next {after}")
        elif self.era == "1.15":
            self.say(what, f"{word} at 0x{chunk.address:x} next {after} of size {chunk.size}")
        else:
            word = "Chunk" if chunk.used else "Free" if self.era in OLD else "Free "
            self.say(what, f"{word} at 0x{chunk.address:x} of size {chunk.size}")

    def chunk_table(self, alloc):
        if self.era in OLD:  # those in use first, then the free ones; regions are not marked
            for used in (True, False):
                for chunk in alloc.chunks():
                    if chunk.used == used:
                        self.chunk(chunk)
            return
        for region in alloc.regions:
            if "region" in self.numbers:
                self.say("region", f"Next region of size {region.size}")
            chunk = region.first
            while chunk:
                self.chunk(chunk)
                chunk = chunk.next

    def summary(self, alloc, retyped=None):
        """`retyped` maps a size to the count a careless hand left in its row."""
        counts = {}
        for chunk in alloc.chunks():
            if chunk.used:
                counts[chunk.size] = counts.get(chunk.size, 0) + 1
        self.say("summary", "     Summary of in-use Chunks by size: ")
        for size in sorted(counts):
            shown = (retyped or {}).get(size, counts[size])
            self.say("row", f"{shown} Chunks of size {size} totalling {human(size * counts[size])}")
        self.say("sum", f"Sum Total of in-use chunks: {human(alloc.in_use)}")

    def pool(self, alloc):
        if "pool" not in self.numbers:
            return
        words = "Total bytes in pool" if self.era in ("2.12", "2.16") else \
            "total_region_allocated_bytes_"
        self.say("pool", f"{words}: {alloc.pool()} memory_limit_: {alloc.limit} available bytes: "
                 f"{alloc.limit - alloc.pool()} curr_region_allocation_bytes_: {alloc.current}")

    def stats(self, alloc):
        self.say("stats", "Stats: ")
        rows = [("Limit", alloc.limit), ("InUse", alloc.in_use), ("MaxInUse", alloc.max_in_use),
                ("NumAllocs", alloc.count), ("MaxAllocSize", alloc.largest)]
        if self.era in NEW:
            rows += [("Reserved", 0), ("PeakReserved", 0), ("LargestFreeBlock", 0)]
        width = 18 if self.era in NEW else 14
        for name, value in rows:
            self.raw(f"{name + ':':<{width}}{value:>20}")
        self.raw("")

    def stars(self, alloc):
        self.say("stars", alloc.occupancy(), "W")

    def dump(self, alloc, requested, op, retyped=None):
        alloc.check()
        self.out_of_memory(alloc, requested, op)
        if self.era in NEW:
            self.say("dump", f"BFCAllocator dump for {alloc.name}")
        self.bin_table(alloc)
        self.state(alloc, requested)
        self.chunk_table(alloc)
        self.summary(alloc, retyped)
        self.pool(alloc)
        self.stats(alloc)
        self.stars(alloc)
        if self.era == "0.12":
            self.say("oom", f"Ran out of memory trying to allocate {human(requested)}.  "
                     "See logs for memory state.", "W")

    def refusals(self, alloc, where):
        for n in alloc.refused:
            self.log("I", where, f"failed to allocate {short(n)} ({n} bytes) from device: "
                     "CUDA_ERROR_OUT_OF_MEMORY: out of memory")
        alloc.refused.clear()

    def soft(self, alloc, requested, counted=True):
        how = " with freed_by_count=0" if counted else ""
        self.log("W", f"{self.path}:{self.numbers['oom'] - 180}",
                 f"Allocator ({alloc.name}) ran out of memory trying to allocate "
                 f"{human(requested)}{how}. The caller indicates that this is not a failure, but "
                 f"{'this ' if self.era in ('2.12', '2.16') else ''}may mean that there could be "
                 "performance gains if more memory were available.")


def short(n):
    """As the driver wrapper writes sizes: 2.85G."""
    units, i, x = ["B", "K", "M", "G", "T"], 0, float(n)
    while x >= 1024:
        x, i = x / 1024, i + 1
    return f"{x:.2f}{units[i]}"
