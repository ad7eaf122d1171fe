"""The table of the laboratory."""

import collections
import datetime
import os

HEAD = """# The laboratory: every remedy is tried

Written by `make lab` from `tests/lab/` on {date}: {machine}. Real programs were made to fail, their
logs analyzed, and the run was repeated as advised. *Open* scenarios are there to be mended;
of *held* ones only these sums are looked at. *As printed* is the first remedy that is an edit of the
command or a change of a setting; *first* and *first three* are the remedies in the order in which
they are offered, where those said in words are followed by hand, and one that changes nothing in the
run cures nothing. The largest batch counts where 0.9 of it passes and 1.1 of it does not; *unsafe*
is where the batch that is said to be set did not pass. *Planned* is the same of `oomdoctor plan` with the
summary that the log prints. A forecast is made of the first 60 % of a leak's log and the limit, and is held
against the step that failed. Each log is read in four wordings.
"""


def line(result):
    """One result, for who watches."""
    seed = f"{'held' if result.held else 'tuned'}, {result.wording}"
    if not result.failed:
        return f"{result.scenario.name} {seed}: DID NOT FAIL AS MEANT"
    marks = [f"outcome {result.outcome}{'' if result.right_outcome() else ' WRONG'}",
             f"{result.cause or 'no cause'} ({result.certainty or '-'})"
             f"{'' if result.right_cause() else ' WRONG'}",
             f"{result.remedies} printed {result.printed} batch {result.batch} "
             f"plan {result.planned} forecast {result.forecast}"]
    return f"{result.scenario.name} {seed}: " + "; ".join(marks + result.wrong_numbers)


def hidden(result):
    """Whether it is for counting alone."""
    return result.held or result.scenario.blind


def memory(results):
    return [r for r in results if "memory_failure" in r.scenario.outcome]


def part(results, test):
    return f"{sum(map(test, results))} of {len(results)}" if results else "-"


def forecast_ok(result):
    said, true = result.forecast
    return said is not None and abs(said - true) <= 0.2 * true


def row(name, results):
    of_memory = memory(results)
    tried = [r for r in of_memory if r.printed]
    stated = [r for r in of_memory if r.batch]
    sure = sum(r.certainty == "certain" and not r.right_cause() for r in results)
    cells = [name, str(len(results)), part(results, lambda r: r.right_outcome()),
             part(results, lambda r: r.right_cause()), str(sure),
             part(tried, lambda r: r.printed[1]), part(of_memory, lambda r: r.cured(1)),
             part(of_memory, lambda r: r.cured(3)), part(stated, lambda r: r.batch[2]),
             str(sum(not r.batch[1] for r in stated)), part([r for r in results if r.planned], lambda r: r.planned[2]),
             part([r for r in results if r.forecast], forecast_ok)]
    return "| " + " | ".join(cells) + " |"


def rows(title, groups):
    names = [title, "runs", "outcome", "first cause", "wrong and certain", "cured as printed",
             "cured by the first", "by the first three", "batch within 10 %", "unsafe", "planned within 10 %",
             "forecast within 20 %"]
    lines = ["| " + " | ".join(names) + " |", "| --- |" + " ---: |" * (len(names) - 1)]
    return "\n".join(lines + [row(name, results) for name, results in groups if results])


def confusion(results):
    counts = collections.Counter((r.scenario.causes[0], r.cause or "none", r.right_cause())
                                 for r in results)
    lines = ["| true | said | runs | |", "| --- | --- | ---: | --- |"]
    lines += [f"| {true} | {said} | {n} | {'' if right else 'wrong'} |"
              for (true, said, right), n in sorted(counts.items())]
    return "\n".join(lines)


def uncured(results):
    """Those that no remedy of the first three cured; wordings that were told the same are one line."""
    lines = collections.Counter()
    for r in results:
        if r in memory([r]) and not r.cured(3):
            names = ", ".join(f"{name}{'' if cure is not None else ' (nothing to change)'}"
                              for name, cure in r.remedies) or "none offered"
            lines[f"- {r.scenario.name}, {'held' if r.held else 'tuned'} ({r.version}): {names}"] += 1
    return "\n".join(f"{line}; in {n} wordings" if n > 1 else line for line, n in lines.items()) or "None."


def machine():
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"Linux, {os.cpu_count()} CPUs, {pages / 2**30:.0f} GiB"


def page(results):
    date = datetime.date.today().isoformat()
    good = [r for r in results if r.failed]
    programs = sorted({(r.scenario.needs, r.version) for r in good})
    parts = [
        HEAD.format(date=date, machine=machine()),
        rows("scenarios", [("open", [r for r in good if not hidden(r)]),
                           ("held", [r for r in good if hidden(r)]), ("all", good)]),
        "## By program\n", rows("program", [
            (f"{name}: {version}", [r for r in good if (r.scenario.needs, r.version) ==
                                    (name, version)]) for name, version in programs]),
        "## First causes of the open ones\n", confusion([r for r in good if not hidden(r)]),
        "## Open ones that the first three did not cure\n",
        uncured([r for r in good if not hidden(r)])]
    missed = [f"{r.scenario.name} {'held' if r.held else 'tuned'}" for r in results if not r.failed]
    if missed:
        parts += ["## Did not fail as meant\n", ", ".join(missed)]
    return "\n\n".join(part.rstrip("\n") for part in parts)
