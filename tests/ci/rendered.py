"""What the formats for CI systems are tried on: golden cases, a hostile log, a hostile name."""

import json
import os
import subprocess
import sys
import tempfile

TOP = os.environ["TOP_SRCDIR"]
sys.path[:0] = [os.path.join(TOP, "tests"), os.path.join(TOP, "tests/cases")]
from cases import PROGRAM, all_cases

HOSTILE = os.path.join(TOP, "tests/robust/hostile-input.txt")
NAME = "a::error::b,c=d%0A::warning::\n::error file=x::y \"<&'>##[error]z;100%.log"


def run(form, names, folder, **more):
    """What analyze prints in that format."""
    done = subprocess.run([PROGRAM, "analyze", "--format", form, *names], cwd=folder, capture_output=True,
                          check=False, env={**os.environ, "GITHUB_STEP_SUMMARY": "", **more})
    return done.stdout.decode("utf-8")


def differing():
    """One golden case for each outcome with each kind of incident and with each first cause: what these
    formats print differs by nothing else."""
    seen = set()
    for case in all_cases():
        if case.args != ["analyze"]:
            continue
        report = json.loads(case.text("expected.json"))
        causes = [c["cause"] for c in report.get("causes", [])[:1]] or ["no cause"]
        shown = {(report.get("outcome"), word) for word in causes + [i["kind"] for i in report.get("incidents", [])]}
        if not shown <= seen:
            seen |= shown
            yield case


def inputs():
    """(title, names of logs, folder they are in)"""
    for case in differing():
        yield case.name, case.inputs, case.folder
    yield "a hostile log", [HOSTILE], "/"
    with tempfile.TemporaryDirectory() as folder:
        with open(HOSTILE, "rb") as log, open(os.path.join(folder, NAME), "wb") as out:
            out.write(log.read().replace(b'File "', b'File "::error::\\n'))
        yield "a hostile name", [NAME], folder
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(TOP, "samples/card-held-by-another.log")
        with open(plain, "rb") as log, open(os.path.join(folder, NAME), "wb") as out:
            out.write(log.read())
        yield "a hostile name of a plain log", [NAME], folder
