"""A group of processes with a limit on its memory, and what the kernel logs when it is reached."""

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import time

KERNEL_LATE = 5.0  # seconds that the kernel's words may come after the death of a process
GROUP_LATE = 10.0  # seconds until the last dead process has left its group


class Missing(Exception):
    """What this machine lacks for a test."""


def kernel_log():
    """The lines of dmesg."""
    if not shutil.which("dmesg"):
        raise Missing("there is no dmesg")
    done = subprocess.run(["dmesg"], capture_output=True, check=False,
                          env={"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"})
    if done.returncode != 0:
        raise Missing("the kernel's log cannot be read: " +
                      done.stderr.decode("utf-8", "replace").strip())
    return done.stdout.splitlines(keepends=True)


def kills_in(lines, group):
    """The kernel's words of each kill in that group: one after the other, since it kills one at a time."""
    kills = []
    for line in lines:
        if b"invoked oom-killer" in line:
            kills.append([])
        if kills and not (kills[-1] and b"Killed process " in kills[-1][-1]):
            kills[-1].append(line)
    name = os.path.basename(group).encode() + b","
    return [line for kill in kills if any(b"oom_memcg=" in line and name in line for line in kill) for line in kill]


class KernelLog:
    """What the kernel says from now on; of a group only, where others are killed meanwhile. Its lines
    bear a time, so that no two are alike."""

    def __init__(self, group=None):
        lines = kernel_log()
        self.last = lines[-1] if lines else None
        self.group = group

    def since(self):
        lines = kernel_log()
        for i in range(len(lines) - 1, -1, -1):
            if lines[i] == self.last:
                lines = lines[i + 1:]
                break
        return kills_in(lines, self.group) if self.group else lines

    def wait_for(self, word):
        """The new lines as bytes, once one of them has the word, or it is late for that."""
        end = time.monotonic() + KERNEL_LATE
        while True:
            lines = self.since()
            if any(word in line for line in lines) or time.monotonic() > end:
                return b"".join(lines)
            time.sleep(0.1)


def mounts():
    with open("/proc/self/mounts", encoding="utf-8") as table:
        for line in table:
            fields = line.split()
            yield fields[1], fields[2], fields[3].split(",")


def controllers(folder, name):
    try:
        with open(os.path.join(folder, name), encoding="ascii") as text:
            return text.read().split()
    except OSError:
        return []


def memory_root():
    """(folder, version) of the hierarchy that has the memory controller"""
    for folder, kind, options in mounts():
        if kind == "cgroup" and "memory" in options:
            return folder, 1
        if kind == "cgroup2" and "memory" in controllers(folder, "cgroup.controllers"):
            return folder, 2
    raise Missing("no control groups with a memory controller are mounted")


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="ascii") as knob:
        knob.write(str(value))


class Group:
    """A control group with a limit. A context: it and all in it are gone at its end."""

    def __init__(self, limit):
        if os.geteuid() != 0:
            raise Missing("not root")
        self.limit = limit
        self.root, self.version = memory_root()
        self.path = os.path.join(self.root, f"oomdoctor-test-{os.getpid()}")
        self.lent = False  # the root did not lend its memory controller before us
        self.made = []

    def __enter__(self):
        try:
            self.lend()
            self.make(self.path)
            self.set_limit()
        except OSError as error:
            self.__exit__()
            raise Missing(f"no control group can be made in {self.root}: {error.strerror}") \
                from error
        return self

    def make(self, path):
        os.mkdir(path)
        self.made.append(path)
        return path

    def lend(self):
        if self.version == 2 and "memory" not in controllers(self.root, "cgroup.subtree_control"):
            write(self.root, "cgroup.subtree_control", "+memory")
            self.lent = True

    def set_limit(self):
        if self.version == 2:
            write(self.path, "memory.max", self.limit)
            names = (("memory.swap.max", 0),)
        else:
            write(self.path, "memory.limit_in_bytes", self.limit)
            names = (("memory.memsw.limit_in_bytes", self.limit), ("memory.swappiness", 0))
        for name, value in names:
            with contextlib.suppress(OSError):  # there may be no swap to be limited
                write(self.path, name, value)

    def inner(self):
        """A group inside this one, without a limit of its own."""
        if self.version == 2:
            write(self.path, "cgroup.subtree_control", "+memory")
        return self.make(os.path.join(self.path, "inner"))

    def run(self, argv, path=None, **options):
        """Runs a program that is born in the group: (what subprocess.run gives, its pid)"""
        folder = path or self.path
        with subprocess.Popen(argv, preexec_fn=lambda: write(folder, "cgroup.procs", os.getpid()),
                              **options) as child:
            out, err = child.communicate(timeout=120)
            return subprocess.CompletedProcess(argv, child.returncode, out, err), child.pid

    def empty(self, path):
        """Kills what is left, and says whether nothing is."""
        with open(os.path.join(path, "cgroup.procs"), encoding="ascii") as members:
            pids = [int(pid) for pid in members.read().split()]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not pids

    def remove(self, path):
        end = time.monotonic() + GROUP_LATE
        while True:
            try:
                if self.empty(path):
                    os.rmdir(path)
                    return
            except OSError as error:
                if error.errno != errno.EBUSY or time.monotonic() > end:
                    raise
            if time.monotonic() > end:
                raise TimeoutError(f"{path} is never empty")
            time.sleep(0.05)

    def __exit__(self, *_):
        for path in reversed(self.made):
            self.remove(path)
        self.made = []
        if self.lent:
            with contextlib.suppress(OSError):
                write(self.root, "cgroup.subtree_control", "-memory")
            self.lent = False
