"""oomdoctor from Python: reads logs of runs that ran out of memory, says what failed and why, and plans runs.

    import oomdoctor

    report = oomdoctor.analyze("train.log", "dmesg.txt")
    if report.failed:
        print(report.findings[0].cause, report.findings[0].summary)
        print(report.lost and report.lost.resume)
    plan = oomdoctor.plan("llama-2-7b", device="A100 80GB", batch=4, lora=16)
    print(plan.peak_bytes, plan.fits_probability, plan.largest_batch.safe)

It calls the shared library liboomdoctor, which does all of the work in this process, without a network.
`OOMDOCTOR_LIBRARY` in the environment names another file of it. `report.json` is the whole report as
`oomdoctor analyze --format json` prints it, `plan.json` as `oomdoctor plan` does; oomdoctor-json(5) describes
both.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import json as _json
import os
from dataclasses import dataclass, field
from typing import Any, Optional, Union

__all__ = ["Checkpoint", "Command", "Error", "Evidence", "Finding", "Incident", "LargestBatch", "Lost", "Option", "Plan",
           "Report", "analyze", "plan", "version"]

Source = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Error(Exception):
    """A log, rule pack or model that cannot be read, a plan that cannot be made, or no library."""


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
class Report:
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
class Plan:
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


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    name = os.environ.get("OOMDOCTOR_LIBRARY") or ctypes.util.find_library("oomdoctor") or "liboomdoctor.so.0"
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise Error(f"no shared library of oomdoctor: {error}") from error
    pointer, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    for function, result, arguments in (
            ("version", text, []),
            ("new", pointer, [ctypes.POINTER(text), size]),
            ("free", None, [pointer]),
            ("add_file", ctypes.c_bool, [pointer, text]),
            ("add_bytes", ctypes.c_bool, [pointer, text, text, size]),
            ("analyze", ctypes.c_int, [pointer]),
            ("render", pointer, [pointer, text, ctypes.POINTER(size)]),
            ("messages", pointer, [pointer]),
            ("plan", pointer, [text, ctypes.POINTER(text), size, text, ctypes.POINTER(pointer)]),
            ("text_free", None, [pointer])):
        bound = getattr(library, "oomdoctor_" + function)
        bound.restype, bound.argtypes = result, arguments
    return library


def version() -> str:
    """Of the library."""
    return _library().oomdoctor_version().decode()


def _take(pointer: Optional[int]) -> str:
    """A text that is ours to free."""
    if not pointer:
        return ""
    try:
        return ctypes.string_at(pointer).decode("utf-8", "replace")
    finally:
        _library().oomdoctor_text_free(pointer)


class _Doctor:
    """The library's object; freed at the end of the context."""

    def __init__(self, rules: tuple[Source, ...]):
        self._library = _library()
        names = [os.fsencode(name) for name in rules]
        self._object = self._library.oomdoctor_new((ctypes.c_char_p * len(names))(*names), len(names))

    def __enter__(self) -> _Doctor:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.oomdoctor_free(self._object)

    def messages(self) -> str:
        return _take(self._library.oomdoctor_messages(self._object))

    def add(self, log: Source) -> None:
        if not self._library.oomdoctor_add_file(self._object, os.fsencode(log)):
            raise Error(self.messages().strip() or f"cannot read {os.fsdecode(log)}")

    def add_text(self, text: bytes) -> None:
        self._library.oomdoctor_add_bytes(self._object, b"log", text, len(text))

    def analyze(self) -> Report:
        status = self._library.oomdoctor_analyze(self._object)
        found = self.render("jsonl")
        if status > 1 or not found:
            raise Error(self.messages().strip() or "nothing could be read")
        return _report(_json.loads(found), self.render("text"), self.messages())

    def render(self, name: str) -> str:
        return _take(self._library.oomdoctor_render(self._object, name.encode(), None))


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


def _report(found: dict[str, Any], text: str, messages: str) -> Report:
    return Report(
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
    with _Doctor(rules) as doctor:
        for log in logs:
            doctor.add(log)
        if content is not None:
            doctor.add_text(content)
        return doctor.analyze()


def _words(options: dict[str, Any]) -> list[bytes]:
    """batch=4, inference=True, pin_memory=False -> "batch=4", "inference"."""
    words = []
    for name, value in options.items():
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            words.append(f"{name}={value}")
    return [word.replace("_", "-", word.partition("=")[0].count("_")).encode("utf-8", "surrogateescape") for word in words]


def _planned(model: Optional[Source], words: list[bytes], name: str) -> tuple[str, str]:
    library, messages = _library(), ctypes.c_void_p()
    text = _take(library.oomdoctor_plan(None if model is None else os.fsencode(model),
                                        (ctypes.c_char_p * len(words))(*words), len(words), name.encode(),
                                        ctypes.byref(messages)))
    return text, _take(messages.value)


def plan(model: Optional[Source] = None, **options: Any) -> Plan:
    """The memory of a model before it runs: a file or a public name, or params=N alone.

    Options are those of `oomdoctor plan --help`, with "_" for "-": batch=4, device="A100 80GB", inference=True.
    Raises Error where the model cannot be read, an option is wrong, or no plan can be made.
    """
    words = _words(options)
    found, messages = _planned(model, words, "jsonl")
    if not found:
        raise Error(messages.strip() or "no plan could be made")
    made = _json.loads(found)
    return _made(
        Plan, made,
        largest_batch=made["largest_batch"] and _made(LargestBatch, made["largest_batch"]),
        options=tuple(_made(Option, row) for row in made["options"]),
        messages=messages,
        text=_planned(model, words, "text")[0],
        json=made)
