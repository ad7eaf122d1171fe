"""Logs of made-up runs, written from numbers, for what must hold of the report of any of them."""

import random
import re

GIB, MIB = 1 << 30, 1 << 20
SHAPES = ((64, 224, 224), (128, 112, 112), (256, 28, 28), (3, 512, 512), (1024, 768), (12, 384, 384))


def size(n):
    return f"{n / GIB:.2f} GiB" if n >= GIB else f"{n / MIB:.2f} MiB"


class Run:
    """A run that failed at a request; `scale` doubles every size and the device alike."""

    def __init__(self, seed):
        rand = random.Random(seed)
        self.rand = rand
        self.capacity = rand.choice((4, 8, 11, 16, 24, 40, 80)) * GIB * 97 // 100 // MIB * MIB
        self.batch = rand.choice((1, 2, 3, 4, 6, 8, 12, 24, 32, 48, 64, 100, 180, 256))
        self.shape = rand.choice(SHAPES)
        self.dims = 1
        for n in self.shape:
            self.dims *= n
        self.request = self.batch * self.dims * 4
        self.use = int(self.capacity * rand.uniform(0.5, 0.97)) // MIB * MIB
        self.reserved = self.use + int((self.capacity - self.use) * rand.uniform(0, 0.9)) // MIB * MIB
        self.trained = rand.random() < 0.3 and self.batch > 1

    def torch(self, scale=1, rank=None, gpu=0):
        mark = "" if rank is None else f"[rank{rank}]: "
        free = (self.capacity - self.reserved) * scale
        lines = ["Traceback (most recent call last):",
                 '  File "/home/ada/net/fit.py", line 88, in <module>',
                 "    loss = net(x).sum()",
                 f"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {size(self.request * scale)}. "
                 f"GPU {gpu} has a total capacity of {size(self.capacity * scale)} of which {size(free)} is free. "
                 f"Process 4711 has {size(self.reserved * scale)} memory in use. Of the allocated memory "
                 f"{size(self.use * scale)} is allocated by PyTorch, and "
                 f"{size((self.reserved - self.use) * scale)} is reserved by PyTorch but unallocated."]
        return [mark + line for line in lines]

    def tensorflow(self, scale=1):
        shape = ",".join(str(n) for n in (self.batch, *self.shape[:-1], self.shape[-1] * scale))
        return ["2024-05-02 10:11:12.131415: W tensorflow/core/common_runtime/bfc_allocator.cc:497] ****__",
                "2024-05-02 10:11:12.131500: W tensorflow/core/framework/op_kernel.cc:1830] OP_REQUIRES failed at "
                f"conv_ops.cc:698 : RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[{shape}] and type "
                "float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc"]

    def message(self, asked, free, held, alloc, others=()):
        named = "".join(f"Process {pid} has {size(n)} memory in use. " for pid, n in others)
        return [f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {size(asked)}. GPU 0 has a total capacity "
                f"of {size(self.capacity)} of which {size(free)} is free. {named}Including non-PyTorch memory, this process "
                f"has {size(held)} memory in use. Of the allocated memory {size(alloc)} is allocated by PyTorch, and "
                f"{size(held - alloc)} is reserved by PyTorch but unallocated."]

    def shared(self):
        """Another process holds what was lacking."""
        other = int(self.capacity * self.rand.uniform(0.03, 0.6))
        free = int(self.capacity * 0.01)
        held = self.capacity - other - free
        return self.message(free + other // 2, free, held, int(held * 0.97), ((4711, other),))

    def beyond(self):
        """More than the device has, in one piece."""
        return self.message(int(self.capacity * self.rand.uniform(1.1, 40)), self.capacity // 2, self.capacity // 3,
                            self.capacity // 4)

    def refused(self):
        """Much more was free than the driver was asked for."""
        asked = self.rand.randint(3, 9) * self.capacity // 100
        return self.message(asked, asked * 5, self.capacity // 5, self.capacity // 6)

    def impossible(self):
        """More free than the device has."""
        return self.message(self.capacity // 3, self.capacity * 5, self.capacity // 3, self.capacity // 4)

    def alike(self):
        """Two batches that ask for the same."""
        lines = []
        for batch in (16, 4):
            lines += [f"args: batch_size={batch} lr=0.001 epochs=3"] + self.torch()
        return lines

    def floor(self):
        """A batch of one failed, too."""
        lines = []
        for batch in (8, 1):
            self.request = batch * self.dims * 4
            lines += [f"args: batch_size={batch} lr=0.001 epochs=3"] + self.torch()
        return lines

    def reads(self):
        """Killed, and nobody says by whom."""
        return ["loading data ..." if self.rand.random() < 0.5 else "***** Running evaluation *****", "Killed"]

    def limited(self):
        """A limit of the framework's own, of a device that has room."""
        limit = self.capacity // 10
        asked = int(limit * self.rand.uniform(0.2, 1.8))
        held = int(limit * self.rand.uniform(0.3, 0.95))
        return [f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {size(asked)}. GPU 0 has a total capacity "
                f"of {size(self.capacity)} of which {size(self.capacity - held - 700 * MIB)} is free. Including non-PyTorch "
                f"memory, this process has {size(held + 600 * MIB)} memory in use. {size(limit)} allowed; Of the allocated "
                f"memory {size(int(held * 0.97))} is allocated by PyTorch, and {size(held - int(held * 0.97))} is reserved "
                "by PyTorch but unallocated."]

    def settings(self):
        """What the program printed of itself; a smaller batch may have trained before."""
        lines = [f"args: batch_size={self.batch} lr=0.001 epochs=3"]
        if self.trained:
            half = self.batch // 2
            lines = [f"args: batch_size={half} lr=0.001 epochs=1", "Epoch 1/1: loss 0.51",
                     "training finished"] + lines
        return lines

    def kernel(self, scale=1):
        kib = self.use * scale // 1024
        return [f"[ 8123.100000] python invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
                f"[ 8123.100300] Out of memory: Killed process 4711 (python) total-vm:{kib * 2}kB, "
                f"anon-rss:{kib}kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:900kB oom_score_adj:0",
                "Killed"]

    def host(self, scale=1):
        n = self.batch * 1000 * scale
        return ["Traceback (most recent call last):", '  File "/home/ada/net/read.py", line 12, in <module>',
                "    all_of_it = np.zeros((%d, %d, %d))" % (n, self.shape[-1], 300),
                "numpy.core._exceptions._ArrayMemoryError: Unable to allocate "
                f"{size(n * self.shape[-1] * 300 * 8)} for an array with shape ({n}, {self.shape[-1]}, 300) "
                "and data type float64"]

    def grows(self, scale=1):
        step = self.capacity * scale // 40 // MIB
        return [f"step {i * 10} loss {2 - i / 40:.3f} gpu memory allocated: {(i + 3) * step} MB"
                for i in range(30)]

    def steady(self, scale=1):
        level = self.use * scale // MIB
        return [f"step {i * 10} loss {2 - i / 40:.3f} gpu memory allocated: {level} MB" for i in range(30)]


KINDS = {
    "torch": lambda r, scale=1: r.torch(scale),
    "torch with settings": lambda r, scale=1: r.settings() + r.torch(scale),
    "tensorflow": lambda r, scale=1: r.tensorflow(scale),
    "tensorflow with settings": lambda r, scale=1: r.settings() + r.tensorflow(scale),
    "kernel": lambda r, scale=1: r.kernel(scale),
    "host": lambda r, scale=1: r.host(scale),
    "grows": lambda r, scale=1: r.grows(scale) + r.torch(scale),
    "steady": lambda r, scale=1: r.steady(scale) + r.torch(scale),
    "shared": lambda r, scale=1: r.shared(),
    "beyond": lambda r, scale=1: r.beyond(),
    "refused with room": lambda r, scale=1: r.settings() + r.refused(),
    "impossible": lambda r, scale=1: r.impossible(),
    "two batches alike": lambda r, scale=1: r.alike(),
    "a batch of one": lambda r, scale=1: r.floor(),
    "killed at work": lambda r, scale=1: r.reads(),
    "a limit of its own": lambda r, scale=1: r.limited(),
    "said twice": lambda r, scale=1: r.settings() + r.torch(scale) + r.torch(scale),
}

# No line of these says what there is in all: sizes alone tell a data set from a small array.
UNMEASURED = ("host", "shared", "beyond", "impossible", "refused with room", "two batches alike", "a batch of one",
              "killed at work", "a limit of its own")

# What tells nothing of memory.
IDLE = ("INFO  reading the labels of the animals", "# ---------------------------------------------",
        "2024-05-02 10:11:11 main: the lamp in room 12 is on")
# Who runs it, in its own banner: what fits is a matter of bytes, not of names.
NAMED = ("You are using ComfyUI 0.3.12", "accelerate launch --num_processes 1 fit.py")


SIZED = re.compile(rb"(?<![\w.])(\d{1,15}(?:\.\d{1,3})?)( ?)([KMGT]i?B|[kKmMgG]B)\b")
PID = re.compile(rb"(?<=process )\d{2,7}\b|(?<=pid[= ])\d{2,7}\b|(?<=PID )\d{2,7}\b", re.I)
TIMES = (0.01, 0.1, 0.5, 0.9, 1.1, 2, 10, 1000)


def changed(log, seed):
    """One number of a size is another, or its unit, or a PID there or everywhere: (which, the log); (None, log) of a log
    without any."""
    rand, (sizes, pids) = random.Random(seed), (list(kind.finditer(log)) for kind in (SIZED, PID))
    ways = ["number", "unit"] * bool(sizes) + ["PID"] * bool(pids)
    if not ways:
        return None, log
    way = rand.choice(ways)
    one = rand.choice(pids if way == "PID" else sizes)
    if way == "PID":
        new = b"%d" % rand.randrange(10, 99999)
        if rand.random() < 0.5:
            return way, re.sub(rb"(?<![\w.])" + one.group() + rb"(?![\w.])", new, log)
    else:
        number, gap, unit = one.groups()
        if way == "unit":
            unit = rand.choice([u for u in ((b"KiB", b"MiB", b"GiB", b"TiB") if b"i" in unit else (b"kB", b"MB", b"GB")) if u != unit])
        elif b"." in number:
            number = b"%.2f" % (float(number) * rand.choice(TIMES))
        else:
            number = b"%d" % max(1, int(number) * rand.choice(TIMES))
        new = number + gap + unit
    return way, log[: one.start()] + new + log[one.end() :]
