"""oomdoctor from Python: reads logs of runs that ran out of memory, says what failed and why, and plans runs.

    import oomdoctor

    report = oomdoctor.analyze("train.log", "dmesg.txt")
    if report.failed:
        print(report.findings[0].cause, report.findings[0].summary)
        print(report.lost and report.lost.resume)
    plan = oomdoctor.plan("llama-2-7b", device="A100 80GB", batch=4, lora=16)
    print(plan.peak_bytes, plan.fits_probability, plan.largest_batch.safe)

It runs the command `oomdoctor` of the same installation, which does all of the work, without a network.
`OOMDOCTOR` in the environment names another one. `report.json` is the whole report as `oomdoctor analyze
--format json` prints it, `plan.json` as `oomdoctor plan` does; oomdoctor-json(5) describes both. A notebook
shows a report or a plan as its page.

`import oomdoctor.auto` explains an uncaught error of memory when the program ends, `python -m oomdoctor
train.py` also a program that was killed; oomdoctor.callbacks has callbacks for trainers.
"""

from __future__ import annotations

import html as _html
import json as _json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from oomdoctor._command import Error, find_command

__all__ = ["Checkpoint", "Command", "Error", "Evidence", "Finding", "Incident", "LargestBatch", "Lost", "Option", "Plan",
           "Report", "analyze", "plan", "version"]

Source = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


@dataclass(frozen=True)
class _Call:
    """A call of the command that can be repeated for another format."""

    words: tuple[Union[str, bytes], ...]
    text: Optional[bytes]

    def run(self, *words: Union[str, bytes]) -> subprocess.CompletedProcess[bytes]:
        command, verb, rest = find_command(), self.words[0], self.words[1:]
        return subprocess.run((command, verb, *words, *rest), input=self.text or b"", capture_output=True, check=False)

    def read(self) -> tuple[dict[str, Any], str, str]:
        """The object that it prints, the same as text, and its messages."""
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "text")
            done = self.run("--format=jsonl", f"--output=text:{name}")
            messages = done.stderr.decode("utf-8", "replace")
            if done.returncode not in (0, 1) or not done.stdout.strip():
                raise Error(messages.strip() or "oomdoctor gave no answer")
            with open(name, encoding="utf-8", errors="replace") as text:
                return _json.loads(done.stdout), text.read(), messages

    def page(self) -> str:
        return self.run("--format=html").stdout.decode("utf-8", "replace")


class _Shown:
    """What a notebook shows."""

    _call: _Call

    @property
    def html(self) -> str:
        """The page, whole."""
        return self._call.page()

    def _repr_html_(self) -> str:
        return (f'<iframe sandbox="allow-scripts" style="width:100%;height:40em;border:0" '
                f'srcdoc="{_html.escape(self.html)}"></iframe>')


@dataclass(frozen=True)
class Evidence:
    """A line of the log. source counts the logs from 0."""

    line: Optional[int]
    text: str
    source: int = 0


@dataclass(frozen=True)
class Incident:
    """Something that failed or complained. Sizes are bytes; None is not said."""

    id: int
    kind: str
    producer: Optional[str]
    line: Optional[int]
    count: int
    fatal: Optional[bool]
    device: Optional[str]
    rank: Optional[int]
    requested_bytes: Optional[int]
    capacity_bytes: Optional[int]
    limit_bytes: Optional[int]
    in_use_bytes: Optional[int]
    free_bytes: Optional[int]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Finding:
    """A cause. certainty is "certain", "likely" or "possible"."""

    cause: str
    code: str
    certainty: str
    probability: float
    incident: Optional[int]
    summary: Optional[str]
    numbers: dict[str, float]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Checkpoint:
    """The last one that the log says was saved. complete is None where the run died meanwhile."""

    path: Optional[str]
    step: Optional[int]
    epoch: Optional[int]
    time: Optional[str]
    complete: Optional[bool]
    line: Optional[int]


@dataclass(frozen=True)
class Lost:
    """What a run that failed lost."""

    checkpoint: Optional[Checkpoint]
    died_at_step: Optional[int]
    steps_lost: Optional[int]
    seconds_lost: Optional[int]
    resume: Optional[str]


@dataclass(frozen=True)
class Command:
    """One whose output would decide what the log leaves open."""

    command: str
    why: str


@dataclass(frozen=True)
class Report(_Shown):
    """outcome is "memory_failure", "survived", "other_failure", "no_failure" or "unknown"."""

    outcome: str
    reason: Optional[str]
    incidents: tuple[Incident, ...]
    findings: tuple[Finding, ...]
    lost: Optional[Lost]
    decide: tuple[Command, ...]
    plan: Optional[dict[str, Any]]
    messages: str
    text: str = field(repr=False)
    json: dict[str, Any] = field(repr=False)
    _call: _Call = field(repr=False, compare=False)

    @property
    def failed(self) -> bool:
        """Did it fail for lack of memory?"""
        return self.outcome == "memory_failure"


@dataclass(frozen=True)
class LargestBatch:
    """expected fits with probability 0.5; safe all but surely; range is where it lies with 90 %."""

    expected: Optional[int]
    safe: Optional[int]
    range: Optional[list[int]]
    power_of_two: Optional[int]
    multiple_of_8: Optional[int]


@dataclass(frozen=True)
class Option:
    """A change, and what it would give."""

    change: dict[str, Any]
    peak_bytes: Optional[int]
    largest_batch: Optional[int]
    fits_probability: Optional[float]


@dataclass(frozen=True)
class Plan(_Shown):
    """The memory of a run that was described. Sizes are bytes; None is not known: no device was named."""

    config: dict[str, Any]
    peak_bytes: int
    peak_bytes_range: list[int]
    breakdown: dict[str, int]
    fits_probability: Optional[float]
    largest_batch: Optional[LargestBatch]
    options: tuple[Option, ...]
    recommendation: Optional[dict[str, Any]]
    assumptions: list[str]
    messages: str
    text: str = field(repr=False)
    json: dict[str, Any] = field(repr=False)
    _call: _Call = field(repr=False, compare=False)


def version() -> str:
    """Of the command."""
    done = subprocess.run((find_command(), "--version"), capture_output=True, check=True)
    return done.stdout.decode().split()[-1]


def _evidence(rows: list[dict[str, Any]]) -> tuple[Evidence, ...]:
    return tuple(Evidence(row["line"], row["text"], row.get("source", 0)) for row in rows)


def _made(kind: Any, row: dict[str, Any], **more: Any) -> Any:
    """An object of that class from the keys of the row that it has."""
    names = set(kind.__dataclass_fields__) - set(more)
    return kind(**{name: row.get(name) for name in names}, **more)


def _lost(row: Optional[dict[str, Any]]) -> Optional[Lost]:
    if row is None:
        return None
    saved = row["checkpoint"]
    return _made(Lost, row, checkpoint=saved and _made(Checkpoint, saved))


def _report(call: _Call) -> Report:
    found, text, messages = call.read()
    return Report(
        _call=call,
        outcome=found["outcome"],
        reason=found["outcome_reason"],
        incidents=tuple(_made(Incident, row, evidence=_evidence(row["evidence"])) for row in found["incidents"]),
        findings=tuple(_made(Finding, row, evidence=_evidence(row["evidence"])) for row in found["diagnosis"]),
        lost=_lost(found["lost"]),
        decide=tuple(_made(Command, row) for row in found["decide"]),
        plan=found["plan"],
        messages=messages,
        text=text,
        json=found)


def analyze(*logs: Source, text: Union[str, bytes, None] = None, rules: tuple[Source, ...] = ()) -> Report:
    """Reads the logs as one run, packed or not; text: a log that is no file. rules: further rule packs.

    Raises Error where a log or a pack cannot be read.
    """
    if not logs and text is None:
        raise TypeError("a log or a text is needed")
    content = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    words = [*(f"--rules={os.fsdecode(pack)}" for pack in rules), "--", *(os.fsdecode(log) for log in logs)]
    return _report(_Call(("analyze", *words, *([] if content is None else ["-"])), content))


def _words(options: dict[str, Any]) -> list[str]:
    """batch=4, inference=True, pin_memory=False -> "--batch=4", "--inference"."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words.append(f"{flag}={value}")
    return words


def plan(model: Optional[Source] = None, **options: Any) -> Plan:
    """The memory of a model before it runs: a file or a public name, or params=N alone.

    Options are those of `oomdoctor plan --help`, with "_" for "-": batch=4, device="A100 80GB", inference=True.
    Raises Error where the model cannot be read, an option is wrong, or no plan can be made.
    """
    call = _Call(("plan", *_words(options), "--", *([] if model is None else [os.fsdecode(model)])), None)
    made, text, messages = call.read()
    return _made(
        Plan, made,
        largest_batch=made["largest_batch"] and _made(LargestBatch, made["largest_batch"]),
        options=tuple(_made(Option, row) for row in made["options"]),
        messages=messages,
        text=text,
        json=made,
        _call=call)
