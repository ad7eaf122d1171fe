#!/usr/bin/env python3
"""Wordings of failures for lack of memory, by mutation, with what each of them says.

    generate.py > wordings.tsv

Seeds are sentences in the manner of logs (who, refusal, thing, space, sizes); a mutation chooses
another verb, order, unit, spelling of the number, wrapper, language or line break. A line has: the
half it belongs to (tune: looked at while the reader was written; first: not before), the kinds of
incident it may be read as, the sizes by role, and the text with its line breaks as "\\n". The
generator is fixed: the same lines each time. It knows nothing of the reader's lexicon.
"""
import random

R = random.Random(22)
KI, MI, GI, TI = 1 << 10, 1 << 20, 1 << 30, 1 << 40

DEVICE = ["GPU memory", "device memory", "VRAM", "CUDA memory", "video memory", "GPU RAM",
          "memory on GPU 0", "memory on the device", "memory on cuda:1", "graphics memory",
          "accelerator memory", "memory on device 2"]
HOST = ["host memory", "RAM", "system memory", "CPU memory", "main memory", "heap memory",
        "physical memory"]
PINNED = ["pinned memory", "page-locked memory", "pinned host memory"]
ANY = ["memory", "enough memory"]

HEADS = ["RuntimeError: ", "ERROR: ", "[E] [alloc] ", "F0301 12:00:01.123456    99 pool.cc:81] ",
         "fatal: ", "  what():  ", "2024-05-06 07:08:09,123 ERROR trainer.mem: ",
         "[2024-05-06 07:08:09] [error] ", "gridsim: error: ", "mylib.OutOfMemoryException: ",
         "Caused by: java.lang.RuntimeException: ", "ERROR 05-06 07:08:09 [engine.py:77] ",
         "[rank3]: torchfoo.errors.AllocError: ", "Error in grid(x, y) : ", "E0101 alloc.cc:12] ",
         "panic: ", "FATAL ERROR: ", "[ERROR] ", "Exception: ", "CRITICAL - ", "** Error ** ",
         "time=\"2024-05-06T07:08:09Z\" level=error msg=\"", "{\"level\":\"error\",\"msg\":\"",
         "(EngineCore pid=811) ERROR 05-06 07:08:09 core.py:396] ", "error[E12]: ",
         "MemoryError: ", "thread 'main' panicked at src/grid.rs:10:5: ", "Error code 4: "]


def spelled(n):
    """One spelling of a number of bytes, and the number it stands for."""
    how = R.randrange(10)
    if how == 0:
        return f"{n} bytes"
    if how == 1:
        return f"{n:,} bytes"
    if how == 2:
        return f"{n} B"
    if how == 3 and n >= GI:
        return f"{n / GI:.2f} GiB"
    if how == 4 and n >= GI:
        return f"{n / GI:.3f}GB"
    if how == 5:
        return f"{n / MI:.1f}MB"
    if how == 6:
        return f"{n / MI:.2f} MiB"
    if how == 7:
        return f"{hex(n)} bytes"
    if how == 8:
        return f"{n / KI:.0f} KiB"
    return f"{n / GI:.2f} GB" if n >= GI else f"{n / MI:.0f} MB"


def size(least, most):
    n = int(R.uniform(least, most))
    return n - n % R.choice([256, 4096, MI])


class Sizes:
    def __init__(self):
        self.roles = {}

    def of(self, role, n):
        text = spelled(n)
        self.roles[role] = n
        return text


REQ_VERB = ["cannot allocate {r} of {m}", "could not allocate {r} of {m}",
            "failed to allocate {r} of {m}", "unable to allocate {r} of {m}",
            "can't allocate {r} of {m}", "failed to reserve {r} of {m}",
            "was not able to obtain {r} of {m}", "out of {m} while trying to allocate {r}",
            "ran out of {m} trying to allocate {r}", "out of {m} allocating {r}",
            "not enough {m} to allocate {r}", "insufficient {m} for an allocation of {r}",
            "allocation of {r} of {m} failed", "{r} of {m} could not be allocated",
            "a request for {r} of {m} could not be satisfied",
            "couldn't get {r} of {m} for the buffer", "{m} exhausted: tried to allocate {r}",
            "no {m} left for a buffer of {r}", "unable to reserve {m} (requested {r})",
            "failed to map {r} of {m}", "{m} allocation failed (size = {r})",
            "failed to grow the arena by {r}: out of {m}", "not enough free {m}: {r} required"]
NO_SIZE = ["out of {m}", "not enough {m}", "insufficient {m} to load the model",
           "failed to allocate {m} for the weights", "{m} exhausted", "ran out of {m}",
           "cannot allocate {m} for the workspace", "no free {m} left", "{m} allocation failed",
           "could not allocate {m}"]
FREE = ["only {f} free", "{f} available", "free: {f}", "available: {f}", "{f} is free",
        "with {f} remaining", "free memory is {f}", "available memory {f}", "{f} left"]
CAP = ["total {c}", "{c} total capacity", "total capacity of {c}", "device has {c} in total",
       "capacity: {c}", "of {c} total"]
USED = ["{u} already allocated", "in use: {u}", "{u} in use", "used {u}", "allocated so far: {u}",
        "currently allocated {u}"]
LIMIT = ["limit {l}", "limit is {l}", "limit: {l}", "maximum allowed {l}", "limit set to {l}",
         "max allowed size {l}"]
COMPARE = ["requested {r} but only {f} available in {m}",
           "requires {r} of {m}, has {f} available", "needs {r} of {m} but only {f} is free",
           "model requires more {m} ({r}) than is available ({f})",
           "required {m} {r} exceeds available {f}",
           "{m}: needed {r}, available {f}",
           "insufficient {m}: {r} needed, {f} available",
           "requested size {r} is larger than the free {m} {f}",
           "the {m} needed ({r}) is more than what is free ({f})"]
LIMITED = ["requested {r} exceeds the {m} limit of {l}",
           "allocation of {r} would exceed {m} limit {l}",
           "buffer size {r} is greater than the maximum allowed size {l} of {m}",
           "{m} limit exceeded: would use {r}, maximum: {l}"]
CHINESE_DEVICE = ["显存不足，无法分配 {r}", "GPU 显存不足：需要 {r}，可用 {f}", "申请显存 {r} 失败，剩余 {f}",
                  "GPU内存不足，申请 {r}，总共 {c}", "显存分配失败：请求 {r}"]
CHINESE_HOST = ["主机内存不足，无法分配 {r}", "系统内存不足：需要 {r}，可用 {f}", "申请内存 {r} 失败", "无法分配内存：{r}"]

DEV, HST, EITHER = "device_alloc_failed", "host_alloc_failed", "device_alloc_failed,host_alloc_failed"
SPACES = [(DEVICE, DEV), (HOST, HST), (PINNED, HST), (ANY, EITHER)]


def fill(template, memory):
    s = Sizes()
    req = size(2 * GI, 90 * GI)
    words = {"m": memory}
    for key, role, n in (("r", "requested", req), ("f", "free", size(64 * MI, 2 * GI)),
                         ("c", "capacity", size(91 * GI, 96 * GI)),
                         ("u", "in_use", size(3 * GI, 60 * GI)), ("l", "limit", size(GI, 2 * GI))):
        if "{" + key + "}" in template:
            words[key] = s.of(role, n)
    return template.format(**words), s.roles


def tail():
    """Sizes beside the request, in any order and punctuation."""
    parts = [R.choice(p) for p in R.sample([FREE, CAP, USED, LIMIT], R.randrange(0, 4))]
    if not parts:
        return ""
    open_, join, close = R.choice([(" (", ", ", ")"), (" (", "; ", ")"), (", ", ", ", ""),
                                   ("; ", "; ", ""), (". ", ", ", "."), (" [", " | ", "]")])
    return open_ + join.join(parts) + close


def wrap(text):
    """Breaks the line between two words, or inside one, as a console does."""
    how = R.randrange(8)
    if how == 0 and len(text) > 60:
        at = text.find(" ", R.randrange(30, len(text) - 12))
        return text if at < 0 else text[:at] + "\n" + text[at + 1:]
    if how == 1 and len(text) > 60:
        at = text.find(" ", R.randrange(30, len(text) - 12))
        return text if at < 0 else text[:at] + "\n    " + text[at + 1:]
    return text


def headed(text):
    head = R.choice(HEADS)
    if head.endswith('"'):
        return head + text + '"' + ("}" if head.startswith("{") else "")
    if R.randrange(3) == 0:
        text = text[0].upper() + text[1:]
    return head + text


def one():
    what = R.randrange(20)
    pool, kind = R.choices(SPACES, [6, 4, 1, 2])[0]
    memory = R.choice(pool)
    if memory == "enough memory" and what >= 9:
        memory = "memory"
    if what < 9:
        template = R.choice(REQ_VERB)
        if memory == "enough memory" and ("{m} " in template[:4] or "no " in template or
                                          "insuff" in template or "out of" in template or
                                          "not " in template):
            memory = "memory"
        text, roles = fill(template + tail(), memory)
    elif what < 12:
        text, roles = fill(R.choice(NO_SIZE), memory)
    elif what < 16:
        text, roles = fill(R.choice(COMPARE), memory)
    elif what < 18:
        text, roles = fill(R.choice(LIMITED), memory)
    elif R.randrange(2):
        text, roles = fill(R.choice(CHINESE_DEVICE), "")
        kind = DEV
    else:
        text, roles = fill(R.choice(CHINESE_HOST), "")
        kind = HST
    return kind, roles, wrap(headed(text))


def main():
    seen = set()
    while len(seen) < 600:
        kind, roles, text = one()
        if text in seen:
            continue
        half = "first" if len(seen) % 2 else "tune"
        seen.add(text)
        said = ";".join(f"{role}={n}" for role, n in roles.items())
        print(half, kind, said or "-", text.replace("\n", "\\n"), sep="\t")


main()
