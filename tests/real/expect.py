"""What the tests of real failures expect of the reports on them."""

from cases import execute, parse


# What nobody may think of where the machine's memory failed.
OF_DEVICES = {"batch_too_large", "capped", "dataset_on_device", "device_leak", "driver_refused",
              "fragmented", "model_too_large", "other_tenant", "workspace"}


def analyze(names, stdin=None):
    return execute(["analyze", "--format", "json", *names], "/", stdin)


def field(incident, path):
    for name in path.split("."):
        incident = (incident or {}).get(name)
    return incident


def differences(incident, want):
    """want: {path: value, or what says of a value whether it is right}"""
    wrong = []
    for path, value in want.items():
        said = field(incident, path)
        right = said is not None and value(said) if callable(value) else said == value
        if not right:
            wrong.append(f"{path}: {said!r}" + ("" if callable(value) else f", wanted {value!r}"))
    return wrong


def report_ok(tap, title, run, roots, cause, echoes=(), status=1):
    """One result: exactly these roots in this order, exactly these kinds of echoes, this cause
    first, none of a device, this exit status."""
    report, crash = parse(run.out), run.crashed()
    if crash or report is None:
        return tap.ok(False, title, crash or run.err.decode("utf-8", "replace"))
    wrong = [] if run.status == status else [f"exit status {run.status}, wanted {status}"]
    incidents = report["incidents"]
    found = [i for i in incidents if i["echo_of"] is None]
    if len(found) != len(roots):
        wrong.append(f"{len(found)} roots, wanted {len(roots)}: {[i['kind'] for i in found]}")
    for incident, want in zip(found, roots):
        wrong += differences(incident, want)
    said = sorted(i["kind"] for i in incidents if i["echo_of"] is not None)
    if said != sorted(echoes):
        wrong.append(f"echoes: {said}, wanted {sorted(echoes)}")
    causes = [f["cause"] for f in report["diagnosis"]]
    if causes[:1] != [cause]:
        wrong.append(f"causes: {causes}, wanted {cause} first")
    if OF_DEVICES & set(causes):
        wrong.append(f"causes of a device: {sorted(OF_DEVICES & set(causes))}")
    return tap.ok(not wrong, title, wrong)
