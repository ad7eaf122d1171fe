"""The Test Anything Protocol, as automake's driver reads it."""

import os
import subprocess
import sys
import zlib


def in_turn(items, parts=4, key=str, halved=False):
    """One of so many parts of the items, another one after each commit. OD_TURN names the part; OD_TURN=all
    (make check-whole) takes all. Of a halved test .ci/run gives one half to each of its compilers (OD_HALF)."""
    half = os.environ.get("OD_HALF")
    if halved and half:
        items = [item for item in items if zlib.crc32(key(item).encode()) // parts % 2 == int(half)]
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
