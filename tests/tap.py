"""The Test Anything Protocol, as automake's driver reads it."""

import sys


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
