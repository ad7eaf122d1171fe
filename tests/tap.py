"""The Test Anything Protocol, as automake's driver reads it."""

import os
import subprocess
import sys
import zlib


def in_share(items, key=str, of=zlib.crc32):
    """.ci/run gives a quarter of the items to its build with sanitizers, where a process takes ten times as long, and
    the others to its plain build (OD_SHARE); everybody else takes all."""
    share = os.environ.get("OD_SHARE")
    return [item for item in items if not share or (of(key(item).encode()) % 4 == 0) == (share == "quarter")]


def in_turn(items, parts=4, key=str, shared=False):
    """One of so many parts of the items, another one after each commit. OD_TURN names the part; OD_TURN=all
    (make check-whole) takes all. Of a shared test each build takes its share (in_share)."""
    if shared:
        items = in_share(items, key, lambda text: zlib.crc32(text) // parts)
    wanted = os.environ.get("OD_TURN")
    if wanted == "all":
        return list(items)
    if wanted is None:
        git = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=os.environ.get("TOP_SRCDIR", "."),
                             capture_output=True, text=True, check=False)
        wanted = git.stdout if git.returncode == 0 else "0"
    turn = int(wanted) % parts
    return [item for item in items if zlib.crc32(key(item).encode()) % parts == turn]


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, passed, name, details=""):
        """One result; details (text or lines) are shown when it failed."""
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {name.replace('#', '%')}")
        if not passed:
            self.note(details)
        sys.stdout.flush()
        return passed

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name.replace('#', '%')} # SKIP {why}")

    def note(self, details):
        if not isinstance(details, (str, list, tuple)):
            details = repr(details)
        lines = details.splitlines() if isinstance(details, str) else details
        for line in list(lines)[:200]:
            print(f"# {line}")

    def done(self):
        """Prints the plan; the exit status."""
        print(f"1..{self.count}")
        return 1 if self.failed else 0


def skip_all(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def skip_second_build():
    """For tests that mostly wait, and whose waits are the same in each build: .ci/run makes them with sanitizers."""
    if os.environ.get("OD_SHARE") == "rest":
        skip_all("made in the build with sanitizers")
