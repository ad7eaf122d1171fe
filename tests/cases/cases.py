"""What the tests over whole logs share: the cases, running the program, validating its reports."""

import hashlib
import json
import os
import subprocess
import tempfile

TOP = os.environ.get("TOP_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
FOLDER = os.path.join(TOP, "tests", "cases")
PROGRAM = os.environ.get("OOMDOCTOR", "oomdoctor")
SESSIONS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tests", "cases", "sessions")
TIMEOUT = int(os.environ.get("OD_CASE_TIMEOUT", "120"))


def read(path, default=None):
    try:
        with open(path, "rb") as data:
            return data.read()
    except FileNotFoundError:
        return default


class Case:
    def __init__(self, name):
        self.name = name
        self.folder = os.path.join(FOLDER, name + ".case")
        self.args = (self.text("args") or "analyze").split("\n")
        self.args = [a for a in self.args if a]
        self.inputs = sorted(os.path.join(self.folder, f) for f in os.listdir(self.folder)
                             if f.startswith("input."))
        self.names = {}
        for line in (self.text("inputs") or "").splitlines():
            path, *name = line.split()
            self.inputs.append(os.path.join(TOP, path))
            self.names[self.inputs[-1]] = name[0] if name else os.path.basename(path)

    def text(self, name):
        data = read(os.path.join(self.folder, name))
        return None if data is None else data.decode("utf-8")

    def analyzes(self):
        return self.args[0] == "analyze"

    def schema(self):
        """The schema of its JSON; None when it has none."""
        return {"analyze": "report", "plan": "plan", "tensor": "tensor", "diff": "diff", "fleet": "fleet"}.get(self.args[0])


def all_cases(names=()):
    found = sorted(f[:-5] for f in os.listdir(FOLDER) if f.endswith(".case"))
    return [Case(name) for name in found if not names or name in names]


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def crashed(self):
        """Why the run was no run at all; None when it was one."""
        text = self.err.decode("utf-8", "replace")
        if self.status is None:
            return f"still running after {TIMEOUT} s"
        if self.status < 0:
            return f"killed by signal {-self.status}\n{text[-2000:]}"
        if "Sanitizer" in text or "runtime error:" in text:
            return text[-4000:]
        return None


def execute(args, folder, stdin=None, program=PROGRAM):
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            env[name] = os.environ[name]
    try:
        done = subprocess.run([program] + args, cwd=folder, env=env, capture_output=True,
                              input=stdin if stdin is not None else b"", timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired as late:
        return Result(None, late.stdout or b"", late.stderr or b"")
    return Result(done.returncode, done.stdout, done.stderr)


def run_case_into(case, extra, outputs):
    """Runs the case with further arguments, in a folder that holds only its inputs; those that its
    arguments do not name come last. `outputs` are formats that the same run writes to files: (result,
    {format: bytes})."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as written:
        names = []
        for path in case.inputs:
            names.append(case.names.get(path, os.path.basename(path)))
            with open(os.path.join(folder, names[-1]), "wb") as copy:
                copy.write(read(path))
        files = {form: os.path.join(written, form) for form in outputs}
        options = [word for form, path in files.items() for word in ("-o", f"{form}:{path}")]
        result = execute(case.args + extra + options + [n for n in names if n not in case.args], folder)
        return result, {form: read(path, b"") for form, path in files.items()}


def run_case(case, extra):
    """The same without files: the result alone."""
    return run_case_into(case, extra, ())[0]


def run_bytes(data, extra=(), name="input.log"):
    """analyze --format json of bytes in a file: (result, report or None)."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, name), "wb") as copy:
            copy.write(data)
        result = execute(["analyze", "--format", "json", *extra, name], folder)
    return result, parse(result.out)


def run_many(jobs):
    """What run_bytes gives of each (bytes, further arguments), in that order, read in one process where
    it was built (tests/cases/sessions.c). Who crashes it is told, and those behind go on in another."""
    if not os.path.exists(SESSIONS):
        return [run_bytes(data, extra) for data, extra in jobs]
    with tempfile.TemporaryDirectory() as top:
        for i, (data, _) in enumerate(jobs):
            with open(os.path.join(top, str(i)), "wb") as copy:
                copy.write(data)
        results = []
        while len(results) < len(jobs):
            lines = "".join(" ".join([str(i), *jobs[i][1]]) + "\n" for i in range(len(results), len(jobs)))
            done = execute([], top, lines.encode(), SESSIONS)
            statuses = [int(line) for line in done.out.split()]
            for status in statuses:
                path = os.path.join(top, str(len(results)))
                results.append(Result(status, read(path + ".json", b""), read(path + ".errors", b"")))
            last = read(os.path.join(top, "errors"), b"")
            if done.status != 0 and len(results) < len(jobs):
                results.append(Result(done.status, b"", last))
            elif not statuses:
                results.append(done)
            if done.status != 0 and len(results) == len(jobs):  # a leak is found at the end
                results[-1].err += last + f"Sanitizer: ended with {done.status}".encode()
        return [(result, parse(result.out)) for result in results]


def parse(out):
    try:
        return json.loads(out)
    except ValueError:
        return None


class Validator:
    """Reports against our own schema. `why_not`: there is no validator here; `broken`: no schema. A part that was
    found valid is not asked again: of a log and its damaged copies most parts are equal. keep() remembers that for
    the next run with this schema."""

    def __init__(self, schema="report"):
        self.check = self.why_not = self.broken = None
        if os.environ.get("OD_SANITIZED") == "yes":
            return  # the same reports are held against the schema without sanitizers
        try:
            import jsonschema
        except ImportError:
            self.why_not = "python3-jsonschema is not here: REPORTS WERE NOT VALIDATED"
            return
        result = execute(["schema", schema], "/")
        document = parse(result.out)
        if document is None:
            self.broken = f"`oomdoctor schema {schema}` gave no JSON"
            return
        kind = jsonschema.validators.validator_for(document)
        kind.check_schema(document)
        self.check, self.valid = kind(document), set()
        self.kept = os.path.join(os.path.dirname(SESSIONS), "valid." + hashlib.sha256(result.out).hexdigest()[:24])
        self.valid.update((read(self.kept) or b"").decode().split())
        self.found = len(self.valid)
        name = document.get("$ref", "").removeprefix("#/$defs/")
        top = document["$defs"][name] if name else document
        self.parts = top.get("properties", {})
        frame = {**top, "properties": {part: True for part in self.parts}}
        self.frame = kind({**document, "$defs": {**document["$defs"], name: frame}} if name else frame)

    def part_errors(self, part, schema, *path):
        """Those of one part of a report, by the part of the schema that `path` leads to."""
        key = hashlib.blake2b(f"{path[0]} {len(path)} {json.dumps(part)}".encode(), digest_size=12).hexdigest()
        if key in self.valid:
            return []
        found = [(path, e) for e in self.check.descend(part, schema)]
        if not found:
            self.valid.add(key)
        return found

    def all_errors(self, report):
        yield from (((), e) for e in self.frame.iter_errors(report))
        for name in self.parts.keys() & report.keys() if isinstance(report, dict) else ():
            part, schema = report[name], self.parts[name]
            if isinstance(part, list) and "items" in schema:
                for i, item in enumerate(part):
                    yield from self.part_errors(item, schema["items"], name, i)
                schema = {**schema, "items": True}
            yield from self.part_errors(part, schema, name)

    def keep(self):
        most = 200000
        if self.check is None or len(self.valid) in (self.found, most) or not os.path.isdir(os.path.dirname(self.kept)):
            return
        with open(self.kept, "w", encoding="ascii") as out:
            out.write("\n".join(sorted(self.valid)[:most]))

    def errors(self, report):
        if self.check is None:
            return [self.broken] if self.broken else []
        return [f"{'/'.join(str(p) for p in (*path, *e.absolute_path))}: {e.message[:300]}"
                for path, e in list(self.all_errors(report))[:10]]
