"""What an exception of memory means, by the command and this process' own numbers."""

import tempfile
import traceback

import oomdoctor
from oomdoctor import _numbers

_NOTES_MOST = 1000
notes = []


def note(line):
    """Keeps a line of the log for the report: a setting, a step. The newest thousand are kept."""
    notes.append(str(line))
    del notes[:-_NOTES_MOST]


def log_of(error):
    """The text that is analyzed: the notes, the traceback, the numbers."""
    parts = [*notes, "".join(traceback.format_exception(type(error), error, error.__traceback__)), *_numbers.lines()]
    return "\n".join(part.rstrip("\n") for part in parts) + "\n"


def explain(error):
    """The Report of an exception that was caught, or None where oomdoctor itself could not run."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            snapshot = _numbers.snapshot(folder)
            return oomdoctor.analyze(*([snapshot] if snapshot else []), text=log_of(error))
    except (oomdoctor.Error, OSError, MemoryError):
        return None


def is_of_memory(report):
    """Is there something to say about memory?"""
    return report is not None and (report.failed or any(i.kind == "unexplained_kill" for i in report.incidents))
