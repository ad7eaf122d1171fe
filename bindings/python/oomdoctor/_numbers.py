"""This process' own numbers, as lines that the command reads (rules/watched.yaml, PyTorch's summary)."""

import os
import pickle
import resource
import shlex
import sys
import time

_STARTED = time.monotonic()
_ROOT = "/sys/fs/cgroup"


def _read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _number(path):
    text = _read(path)
    return int(text) if text.isdigit() else None


def _rows(path):
    """{"VmRSS": 1234, ...} of lines "VmRSS:  1234 kB" or "oom_kill 3"."""
    rows = {}
    for line in _read(path).splitlines():
        words = line.replace(":", " ").split()
        if len(words) > 1 and words[1].isdigit():
            rows[words[0]] = int(words[1]) * (1024 if words[2:3] == ["kB"] else 1)
    return rows


def _memory_group():
    """The folder of this process' memory group, its path in the hierarchy, and whether it is version 1."""
    unified = None
    for line in _read("/proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            return f"{_ROOT}/memory", path, True
        if not controllers:
            unified = path
    return _ROOT, unified, False


class Group:
    """The group of this process: its limit is the smallest of its own and of those above it."""

    def __init__(self):
        root, path, old = _memory_group()
        names = ("memory.limit_in_bytes", "memory.usage_in_bytes") if old else ("memory.max", "memory.current")
        self.path, self.limit, self.in_use, self.folder, self.limited = path, None, None, None, path
        self.old = old
        while path:
            folder = root + path.rstrip("/")
            if self.folder is None and os.path.isdir(folder):
                self.folder = folder
            limit = _number(f"{folder}/{names[0]}")
            if limit is not None and limit < 1 << 62 and (self.limit is None or limit < self.limit):
                self.limit, self.in_use, self.limited = limit, _number(f"{folder}/{names[1]}"), path
            path = "" if path == "/" else os.path.dirname(path)

    def kills(self):
        """How many of its processes the kernel has killed for memory; None is unknown."""
        if self.folder is None:
            return None
        return _rows(self.folder + ("/memory.oom_control" if self.old else "/memory.events")).get("oom_kill")

    def kill_line(self, count):
        whose = f"of group {self.path} for memory of the machine"
        if self.limit is not None:
            whose = f"of group {self.limited} for memory of the group, limit {self.limit}"
        return f"oomdoctor run: the kernel killed {count} process{'es' if count > 1 else ''} {whose}"


def _host_lines(after):
    status, memory, group = _rows("/proc/self/status"), _rows("/proc/meminfo"), Group()
    if "VmRSS" in status:
        yield f"{after} processes 1: resident {status['VmRSS']} bytes"
    if group.limit is not None and group.in_use is not None:
        yield f"{after} group {group.limited}: in use {group.in_use} bytes of {group.limit} bytes"
    elif "MemAvailable" in memory:
        used = memory["MemTotal"] - memory["MemAvailable"]
        yield f"{after} machine: in use {used} bytes of {memory['MemTotal']} bytes"
    try:
        shm = os.statvfs("/dev/shm")
    except OSError:
        shm = None
    if shm and shm.f_blocks > shm.f_bfree:
        used, total = ((shm.f_blocks - shm.f_bfree) * shm.f_frsize, shm.f_blocks * shm.f_frsize)
        yield f"{after} /dev/shm: in use {used} bytes of {total} bytes"
    addresses = resource.getrlimit(resource.RLIMIT_AS)[0]
    if addresses != resource.RLIM_INFINITY:
        yield f"virtual memory (kbytes, -v) {addresses // 1024}"
    if "VmHWM" in status:
        yield f"oomdoctor run: peak resident memory of a process: {status['VmHWM']} bytes"


def _torch_lines(torch, after):
    if not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return
    for device in range(torch.cuda.device_count()):
        if torch.cuda.memory_reserved(device) > 0:
            free, total = torch.cuda.mem_get_info(device)
            yield f"{after} GPU {device}: in use {total - free} bytes of {total} bytes"
            yield torch.cuda.memory_summary(device)


def _jax_lines(jax, after):
    if all(device.platform == "cpu" for device in jax.local_devices()):
        yield "oomdoctor run: JAX runs on the CPU"
    for number, device in enumerate(jax.local_devices()):
        stats = device.memory_stats() or {}
        if "bytes_in_use" in stats and "bytes_limit" in stats:
            yield f"{after} GPU {number}: in use {stats['bytes_in_use']} bytes of {stats['bytes_limit']} bytes"


def _command_lines():
    """The program's command, where `oomdoctor run` does not know it and it is no string of Python (a worker)."""
    words = list(getattr(sys, "orig_argv", sys.argv))
    if words[1:3] == ["-m", "oomdoctor.auto"]:
        del words[1:3]
    if "OOMDOCTOR_OUTSIDE" not in os.environ and "-c" not in words:
        yield "oomdoctor run: runs: " + " ".join(map(shlex.quote, words))


def lines():
    """All of them. A library that cannot answer after its failure gives none."""
    after = f"oomdoctor run: after {int(time.monotonic() - _STARTED)} s:"
    found = [*_command_lines(), *_host_lines(after)]
    for name, ask in (("torch", _torch_lines), ("jax", _jax_lines)):
        if name in sys.modules:
            try:
                found += ask(sys.modules[name], after)
            except Exception:  # noqa: BLE001 # its state after a failure is its own
                pass
    return found


def snapshot(folder):
    """PyTorch's memory snapshot as a file in that folder, where its history was recorded; else None."""
    torch = sys.modules.get("torch")
    try:
        if torch is None or not torch.cuda.is_initialized():
            return None
        taken = torch.cuda.memory._snapshot()
        if not any(taken.get("device_traces", ())):
            return None
        name = os.path.join(folder, "snapshot.pickle")
        with open(name, "wb") as file:
            pickle.dump(taken, file)
        return name
    except Exception:  # noqa: BLE001 # a report without it is better than none
        return None
