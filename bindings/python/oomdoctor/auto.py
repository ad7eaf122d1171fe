"""Explains an uncaught error of memory when the program ends.

    import oomdoctor.auto

Once imported, an exception that ends the program is read together with the process' own numbers: its memory,
its control group, /dev/shm, and what PyTorch or JAX count on the devices (with the snapshot, where
torch.cuda.memory._record_memory_history is on). If memory ran out, the report follows the traceback on
standard error.

    python -m oomdoctor.auto train.py --batch 32

does the same for a program that is left as it is. oomdoctor.auto.note("batch_size: 32") adds a line that the
report may use. Nothing happens unless an exception ends the program.
"""

import os
import runpy
import sys

from oomdoctor import _numbers
from oomdoctor._explain import explain, is_of_memory, note, notes

__all__ = ["explain", "install", "note"]

_before = None


def _hook(kind, error, trace):
    (_before or sys.__excepthook__)(kind, error, trace)
    if not issubclass(kind, Exception):
        return
    if os.environ.get("OOMDOCTOR_OUTSIDE"):  # `oomdoctor run` reads what is printed
        sys.stderr.write("\n".join([*notes, *_numbers.lines(), ""]))
        return
    report = explain(error)
    if is_of_memory(report):
        sys.stderr.write("\n" + report.text)


def install():
    """What importing this module does."""
    global _before
    if sys.excepthook is not _hook:
        _before, sys.excepthook = sys.excepthook, _hook


def _without_runner(trace):
    """The traceback from the program's first line on."""
    while trace and (trace.tb_frame.f_code.co_filename == __file__ or "runpy" in trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace


def run(words):
    """A program's words, "train.py ..." or "-m package ...": runs it as Python would."""
    sys.argv[:] = words[1:] if words[0] == "-m" else words
    try:
        if words[0] == "-m":
            sys.path.insert(0, os.getcwd())
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
            runpy.run_path(words[0], run_name="__main__")
    except Exception as error:  # noqa: BLE001 # the hook prints it
        error.__traceback__ = _without_runner(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)


if __name__ == "__main__":
    if len(sys.argv) < 2 or (sys.argv[1] == "-m" and len(sys.argv) < 3):
        sys.exit("usage: python -m oomdoctor.auto FILE.py|-m MODULE [ARGUMENT...]")
    from oomdoctor import auto  # not __main__: there is one module, and its notes
    auto.install()
    auto.run(sys.argv[1:])
else:
    install()
