"""oomdoctor from Python: reads logs of runs that ran out of memory, and says what failed and why.

    import oomdoctor

    report = oomdoctor.analyze("train.log", "dmesg.txt")
    if report.failed:
        print(report.findings[0].cause, report.findings[0].summary)
        print(report.lost and report.lost.checkpoint)

It calls the shared library liboomdoctor, which does all of the work in this process, without a network.
`OOMDOCTOR_LIBRARY` in the environment names another file of it. `report.json` is the whole report as
`oomdoctor analyze --format json` prints it; oomdoctor-json(5) describes it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import json as _json
import os
from dataclasses import dataclass, field
from typing import Any, Optional, Union

__all__ = ["Checkpoint", "Command", "Error", "Evidence", "Finding", "Incident", "Lost", "Report", "analyze",
           "version"]

Source = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Error(Exception):
    """A log or rule pack that cannot be read, or no library."""


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
            ("text_free", None, [pointer])):
        bound = getattr(library, "oomdoctor_" + function)
        bound.restype, bound.argtypes = result, arguments
    return library


def version() -> str:
    """Of the library."""
    return _library().oomdoctor_version().decode()


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

    def _take(self, pointer: Optional[int]) -> str:
        if not pointer:
            return ""
        try:
            return ctypes.string_at(pointer).decode("utf-8", "replace")
        finally:
            self._library.oomdoctor_text_free(pointer)

    def messages(self) -> str:
        return self._take(self._library.oomdoctor_messages(self._object))

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
        return self._take(self._library.oomdoctor_render(self._object, name.encode(), None))


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
