"""A plugin of pytest, active where oomdoctor is installed: explains tests that ran out of memory.

A test that fails for lack of memory gets a section "oomdoctor". Where a worker of pytest-xdist was killed, the
counters of the control group tell whether the kernel did it, and the test's failure says so.
"""

import signal

import pytest

_GROUP, _STATUS = "oomdoctor_group", "oomdoctor_status"


def _is_suspect(error):
    text = f"{type(error).__name__} {error}".lower()
    return any(word in text for word in ("memory", "resource_exhausted", "bad_alloc", "killed by signal"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.excinfo is None or not _is_suspect(call.excinfo.value):
        return
    from oomdoctor import _explain
    report = _explain.explain(call.excinfo.value)
    if _explain.is_of_memory(report):
        outcome.get_result().sections.append(("oomdoctor", report.text))


def pytest_sessionstart(session):
    from oomdoctor import _numbers
    group = _numbers.Group()
    setattr(session.config, _GROUP, (group, group.kills()))


def _kills_since(config):
    """The group, and how many processes the kernel killed since it was asked last; None is unknown."""
    group, before = getattr(config, _GROUP)
    now = group.kills()
    setattr(config, _GROUP, (group, now))
    return group, None if before is None or now is None else now - before


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """Of pytest-xdist, before the next hook: how the worker's process ended."""
    process = getattr(getattr(getattr(node, "gateway", None), "_io", None), "popen", None)
    try:
        status = process.wait(2) if process else None
    except Exception:  # noqa: BLE001 # it did not end
        status = None
    setattr(node.config, _STATUS, status)


def _lines(config):
    status, (group, kills) = getattr(config, _STATUS, None), _kills_since(config)
    number = -status if status and status < 0 else None
    if kills:
        yield group.kill_line(kills)
    elif number == signal.SIGKILL and kills == 0:
        yield "oomdoctor run: the command was ended by signal 9 (SIGKILL), and the kernel killed no process of its group for memory"
    elif number == signal.SIGKILL:
        yield "oomdoctor run: the command was killed by signal 9 (SIGKILL)"
    elif number:
        yield f"oomdoctor run: the command crashed with signal {number} ({signal.Signals(number).name})"


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem, report, sched):
    """Of pytest-xdist: a worker ended in the middle of a test."""
    lines = list(_lines(sched.config))
    if lines:
        import oomdoctor
        found = oomdoctor.analyze(text="\n".join([str(report.longrepr), *lines, ""]))
        report.longrepr = f"{report.longrepr}\n\n{found.text}"
