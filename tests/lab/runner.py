"""Makes a program fail, analyzes its log, follows what is advised, and runs it again."""

import contextlib
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, name) for name in ("..", "../cases", "../real")]
from cases import execute, parse
from expect import field as of_incident
from kernel import Group, KernelLog
from scenarios import COMMON, SAME_BY_HAND
from wordings import WORDINGS

MIB = 1 << 20
SECONDS = 90  # a run that takes longer is not for this laboratory
CARD_SECONDS = 180  # where libraries of gigabytes are loaded first
TOO_LONG = 124  # status of `timeout`
SLOW = ("tensorflow", "torch", "timm", "lightning", "transformers", "jax", "ray", "dask", "xgboost")
OUT_OF_MEMORY = re.compile(rb"out of memory|OutOfMemory|OUT_OF_MEMORY|RESOURCE_EXHAUSTED|MEMORY_ALLOCATION", re.I)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

# name: (words that tell its version, words that build what it runs)
PROGRAMS = {
    "python": (["python3", "--version"], None),
    "numpy": (["python3", "-c", "import numpy; print('numpy', numpy.__version__)"], None),
    "torch": (["python3", "-c", "import torch; print('torch', torch.__version__)"], None),
    "java": (["javac", "-version"], ["javac", "Load.java", "Survive.java", "Ways.java"]),
    "npm": (["npm", "--version"], None),
    "node": (["node", "--version"], None),
    "c++": (["g++", "-dumpfullversion"], ["make", "-s", "load_cc", "ways_cc"]),
    "c": (["cc", "-dumpfullversion"], None),
    "perl": (["perl", "-e", "print $^V"], None),
    "go": (["go", "version"], ["make", "-s", "load_go", "ways_go"]),
    "go build": (["go", "version"], None),
    "rust": (["rustc", "--version"], ["rustc", "-O", "load.rs", "-o", "load_rs"]),
    "R": (["Rscript", "--version"], None),
    "ruby": (["ruby", "--version"], None),
    "php": (["php", "-r", "echo PHP_VERSION;"], None),
    "pandas": (["python3", "-c", "import pandas; print('pandas', pandas.__version__)"], None),
    "joblib": (["python3", "-c", "import joblib; print('joblib', joblib.__version__)"], None),
    "xgboost": (["python3", "-c", "import xgboost; print('xgboost', xgboost.__version__)"], None),
    "tensorflow": (["python3", "-c", "import tensorflow; print('tensorflow', tensorflow.__version__)"],
                   None),
    "xz": (["xz", "--version"], None),
    "zstd": (["zstd", "--version"], None),
    "rustc": (["rustc", "--version"], None),
    "javac": (["javac", "-version"], None),
    "lua": (["lua5.4", "-v"], None),
    "tcl": (["sh", "-c", "echo 'puts \"tcl [info patchlevel]\"' | tclsh"], None),
    "ocaml": (["ocaml", "-version"], None),
    "guile": (["guile", "--version"], None),
    "octave": (["octave", "--version"], None),
    "gawk": (["gawk", "--version"], None),
    "bash": (["bash", "--version"], None),
    "coreutils": (["dd", "--version"], None),
    "grep": (["grep", "--version"], None),
    "git": (["git", "--version"], None),
    "imagemagick": (["convert", "-version"], None),
    "mpi": (["mpirun", "--version"], None),
    "postgresql": (["psql", "--version"], None),
    "gunicorn": (["python3", "-m", "gunicorn", "--version"], None),
    "onnxruntime": (["python3", "-c", "import onnx, onnxruntime; print('onnxruntime', onnxruntime.__version__)"], None),
    "lightgbm": (["python3", "-c", "import lightgbm; print('lightgbm', lightgbm.__version__)"], None),
    "catboost": (["python3", "-c", "import catboost; print('catboost', catboost.__version__)"], None),
    "duckdb": (["python3", "-c", "import duckdb; print('duckdb', duckdb.__version__)"], None),
    "polars": (["python3", "-c", "import polars; print('polars', polars.__version__)"], None),
    "pyarrow": (["python3", "-c", "import pyarrow; print('pyarrow', pyarrow.__version__)"], None),
    "sklearn": (["python3", "-c", "import sklearn; print('scikit-learn', sklearn.__version__)"], None),
    "jax": (["python3", "-c", "import jax; print('jax', jax.__version__)"], None),
    "dask": (["python3", "-c", "import dask, distributed; print('dask', dask.__version__)"], None),
    "ray": (["python3", "-c", "import ray; print('ray', ray.__version__)"], None),
    "timm": (["python3", "-c", "import timm; print('timm', timm.__version__)"], None),
    "lightning": (["python3", "-c", "import lightning; print('lightning', lightning.__version__)"], None),
    "transformers": (["python3", "-c", "import transformers, torch, accelerate; print('transformers', transformers.__version__)"],
                     None),
    "awk": (["mawk", "-W", "version"], None),
    "sort": (["sort", "--version"], None),
    "sqlite": (["sqlite3", "--version"], None),
    "jq": (["jq", "--version"], None),
    "ffmpeg": (["ffmpeg", "-version"], None),
    "redis": (["redis-server", "--version"], None),
    "fortran": (["gfortran", "-dumpfullversion"], ["make", "-s", "load_f90"]),
    "sbcl": (["sbcl", "--version"], None),
    "erlang": (["erl", "-noshell", "-eval", "io:format(\"Erlang/OTP ~s~n\", [erlang:system_info(otp_release)]), halt()."], None),
    "prolog": (["swipl", "--version"], None),
    "nim": (["nim", "--version"], ["make", "-s", "load_nim"]),
    "mono": (["mono", "--version"], ["make", "-s", "Load.exe"]),
    "java meta": (["javac", "-version"], ["javac", "Meta.java"]),
    "7z": (["sh", "-c", "7z i | grep -m 1 Zip"], None),
    "busybox": (["sh", "-c", "busybox | head -n 1"], None),
    "zsh": (["zsh", "--version"], None),
    "graphviz": (["sh", "-c", "dot -V 2>&1"], None),
    "memcached": (["memcached", "-V"], None),
    "clang": (["clang++", "--version"], None),
    "ninja": (["ninja", "--version"], None),
    "pascal": (["fpc", "-iV"], ["fpc", "-v0", "load.pas", "-oload_pas"]),
    "elixir": (["sh", "-c", "elixir --version | tail -n 1"], None),
    "gforth": (["sh", "-c", "gforth --version 2>&1"], None),
    "xmllint": (["sh", "-c", "xmllint --version 2>&1"], None),
    "scipy": (["python3", "-c", "import scipy; print('scipy', scipy.__version__)"], None),
    "matplotlib": (["python3", "-c", "import matplotlib; print('matplotlib', matplotlib.__version__)"], None),
    "networkx": (["python3", "-c", "import networkx; print('networkx', networkx.__version__)"], None),
    "h5py": (["python3", "-c", "import h5py; print('h5py', h5py.__version__)"], None),
    "pillow": (["python3", "-c", "import PIL; print('Pillow', PIL.__version__)"], None),
    "haskell": (["ghc", "--version"], ["make", "-s", "load_hs"]),
    "d": (["gdc", "-dumpfullversion"], ["make", "-s", "load_d"]),
    "crystal": (["crystal", "--version"], ["make", "-s", "load_cr"]),
    "icon": (["sh", "-c", "icont -V 2>&1"], ["make", "-s", "load_icn"]),
    "groovy": (["groovy", "--version"], None),
    "clojure": (["java", "-cp", "/usr/share/java/clojure.jar", "clojure.main", "-e", "(clojure-version)"], None),
    "pypy": (["pypy3", "-c", "import sys; print('PyPy', *sys.pypy_version_info[:3])"], None),
    "poly": (["poly", "-v"], None),
    "clisp": (["clisp", "--version"], None),
    "gprolog": (["gprolog", "--version"], None),
    "pari": (["sh", "-c", "gp --version-short"], None),
    "glpsol": (["glpsol", "--version"], None),
    "z3": (["z3", "--version"], None),
    "samtools": (["sh", "-c", "samtools --version | head -n 1"], None),
    "minimap2": (["minimap2", "--version"], None),
    "bedtools": (["bedtools", "--version"], None),
    "mercurial": (["hg", "--version", "-q"], None),
    "graphicsmagick": (["gm", "-version"], None),
    "miller": (["mlr", "--version"], None),
    "csvkit": (["csvsort", "--version"], None),
    "xsltproc": (["sh", "-c", "xsltproc --version"], None),
    "sed": (["sed", "--version"], None),
    "diff": (["diff", "--version"], None),
    "ghostscript": (["gs", "--version"], None),
    "openssl": (["openssl", "version"], None),
    "valgrind": (["valgrind", "--version"], ["make", "-s", "load_cc"]),
    "qemu": (["qemu-system-x86_64", "--version"], None),
    "binutils": (["as", "--version"], None),
    "cargo": (["cargo", "--version"], None),
    "typescript": (["tsc", "--version"], None),
    "ant": (["ant", "-version"], None),
    "mariadb": (["mariadbd", "--version"], None),
    "tarantool": (["tarantool", "--version"], None),
    "basex": (["sh", "-c", "basex 'string(db:system()//version)' 2> /dev/null"], None),
    "celery": (["python3", "-c", "import celery; print('celery', celery.__version__)"], None),
    "spark": (["python3", "-c", "import pyspark; print('pyspark', pyspark.__version__)"], None),
    "nginx": (["sh", "-c", "nginx -v 2>&1"], None),
    "xarray": (["python3", "-c", "import xarray; print('xarray', xarray.__version__)"], None),
    "numba": (["python3", "-c", "import numba; print('numba', numba.__version__)"], None),
    "skimage": (["python3", "-c", "import skimage; print('scikit-image', skimage.__version__)"], None),
    "ada": (["gnatmake", "--version"], ["make", "-s", "load_adb"]),
    "cobol": (["cobc", "--version"], None),
    "rexx": (["sh", "-c", "rexx -v 2>&1"], None),
    "mit-scheme": (["mit-scheme", "--version"], None),
    "jython": (["java", "-jar", "/usr/share/java/jython.jar", "--version"], None),
    "chez": (["sh", "-c", "chezscheme --version 2>&1"], None),
    "newlisp": (["newlisp", "-v"], None),
    "gambit": (["gsi", "-v"], None),
    "luajit": (["luajit", "-v"], None),
    "ecl": (["ecl", "--version"], None),
    "bison": (["bison", "--version"], ["make", "-s", "deep_y"]),
    "gnuplot": (["gnuplot", "--version"], None),
    "rsync": (["rsync", "--version"], None),
    "netpbm": (["sh", "-c", "pamflip -version 2>&1"], None),
    "lrzip": (["sh", "-c", "lrzip -V 2>&1"], None),
    "yosys": (["yosys", "-V"], None),
    "plink": (["plink1.9", "--version"], None),
    "lp_solve": (["sh", "-c", "echo 'min: x; x >= 1;' | lp_solve -S1 && dpkg-query -W lp-solve"], None),
    "povray": (["sh", "-c", "povray --version 2>&1"], None),
    "iverilog": (["iverilog", "-V"], None),
    "haproxy": (["haproxy", "-v"], None),
    "scala": (["sh", "-c", "scalac -version 2>&1"], None),
    "javadoc": (["javadoc", "--version"], None),
    "terser": (["terser", "--version"], None),
    "h2": (["java", "-cp", "/usr/share/java/h2.jar", "org.h2.tools.Shell", "-help"], None),
    "opencv": (["python3", "-c", "import cv2; print('OpenCV', cv2.__version__)"], None),
    "openpyxl": (["python3", "-c", "import openpyxl; print('openpyxl', openpyxl.__version__)"], None),
    "lxml": (["python3", "-c", "import lxml.etree as e; print('lxml', e.__version__)"], None),
}


def on_card(module):
    """Words that tell a module's version, and fail where PyTorch sees no card."""
    say = f"import torch, {module}; print('{module}', {module}.__version__, torch.cuda.get_device_name())"
    return ["python3", "-c", say], None


PROGRAMS.update({f"cuda {name}": on_card(module) for name, module in (
    ("torch", "torch"), ("transformers", "transformers"), ("timm", "timm"), ("lightning", "lightning"),
    ("jax", "jax"), ("cupy", "cupy"), ("numba", "numba"))})


@dataclass
class Lab:
    """A folder with the programs in it, built, and the Python that they run in."""
    folder: str
    versions: dict = field(default_factory=dict)  # of what is here
    until: float = float("inf")  # no trial begins later
    imports: dict = field(default_factory=dict)  # of modules: MiB that importing them takes
    records: str = None  # folder of what earlier calls saw
    built: set = field(default_factory=set)

    def __init__(self, folder, python, programs="programs"):
        self.folder, self.versions, self.imports, self.built = folder, {}, {}, set()
        shutil.copytree(os.path.join(HERE, programs), folder, dirs_exist_ok=True)
        shutil.copytree(os.path.join(HERE, "gpu"), os.path.join(folder, "gpu"))
        os.makedirs(os.path.join(folder, "bin"))
        os.makedirs(os.path.join(folder, "full"))
        wrapper = os.path.join(folder, "bin/python3")
        with open(wrapper, "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\nexec {python} "$@"\n')
        os.chmod(wrapper, 0o755)
        self.env = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                    **{name: "1" for name in THREADS}}

    def prepare(self, name):
        """Whether the program is here."""
        if name not in self.versions:
            self.versions[name] = self.try_run(PROGRAMS[name][0])
        return self.versions[name] is not None

    def build(self, name):
        """Builds what is to be run of it, once."""
        if name not in self.built:
            words = PROGRAMS[name][1]
            if words and self.try_run(words) is None:
                raise OSError(f"{name} cannot be built")
            self.built.add(name)

    def try_run(self, words):
        try:
            done = subprocess.run(words, cwd=self.folder, env=self.env, capture_output=True,
                                  check=False, timeout=4 * CARD_SECONDS)
        except (FileNotFoundError, subprocess.TimeoutExpired):
            return None
        return (done.stdout.decode().strip().split("\n")[0][:40] or "?") if done.returncode == 0 else None


@dataclass
class Run:
    status: int
    command: str
    log: str  # path
    dmesg: str  # path, or None


def script_of(command, knobs, prompt):
    """What a shell does that is born in the group; and what of it the user sees."""
    hidden = "".join(f"export {word}\n" for word in knobs.get("env", "").format(**knobs).split()
                     if not word.endswith("="))
    hidden += "echo 1000 >/proc/self/oom_score_adj\n" if knobs.get("neighbor") else ""
    for knob, where in (("shm", "/dev/shm"), ("disk", "full")):
        if knobs.get(knob):
            hidden += f"mount -t tmpfs -o size={knobs[knob]}m tmpfs {where}\n"
    seen = f"ulimit -v {knobs['address'] << 10}\n" if knobs.get("address") else ""
    return hidden + ("set -x\n" if prompt else "") + seen + command + "\n"


@contextlib.contextmanager
def surroundings(knobs):
    """The group with its other process; yields where the shell is to be born."""
    if knobs.get("card"):
        with held_card(int(knobs["card"])):
            yield None
        return
    if not knobs.get("group"):
        yield None
        return
    with Group(int(knobs["group"]) * MIB) as group:
        other = None
        if knobs.get("neighbor"):
            other = start_neighbor(group, int(knobs["neighbor"]))
        try:
            yield group
        finally:
            if other:
                other.kill()
                other.wait()
                other.stdout.close()


@contextlib.contextmanager
def held_card(left):
    """A process that leaves so many MiB of the card."""
    hold = f"""import torch
free = torch.cuda.mem_get_info()[0] - ({left} << 20)
x = torch.empty(free, dtype=torch.uint8, device="cuda")
print("held", flush=True)
input()"""
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        try:
            yield
        finally:
            other.kill()


def start_neighbor(group, size):
    """A process that holds memory in the group."""
    def join():
        with open(os.path.join(group.path, "cgroup.procs"), "w", encoding="ascii") as knob:
            knob.write(str(os.getpid()))
    hold = f"x = bytearray(b'x') * ({size} << 20); print('held', flush=True); input()"
    other = subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, preexec_fn=join)
    other.stdout.readline()
    return other


def run(lab, scenario, knobs, prompt, command=None):
    """One run as a user would do it; its log, and the kernel's if a group was full."""
    command = command or scenario.command.format(**knobs).strip()
    script, log = (os.path.join(lab.folder, name) for name in ("job.sh", "job.log"))
    with open(script, "w", encoding="utf-8") as text:
        text.write(script_of(command, knobs, prompt))
    for name in os.listdir(lab.folder):
        if re.match(r"table\d\.[co]$", name):
            os.remove(os.path.join(lab.folder, name))
    with surroundings(knobs) as group, open(log, "wb") as out:
        kernel = KernelLog(group.path) if group else None
        long = scenario.card or scenario.needs in SLOW
        words = ["timeout", str(CARD_SECONDS if long else SECONDS), "bash", "job.sh"]
        if knobs.get("shm") or knobs.get("disk"):
            words = ["unshare", "-m", *words]
        options = {"cwd": lab.folder, "env": lab.env, "stdout": out, "stderr": subprocess.STDOUT}
        if group:
            status = group.run(words, **options)[0].returncode
        else:
            status = subprocess.run(words, check=False, **options).returncode
        said = None
        if kernel and status != 0 and knobs.get("dmesg", True):
            said = os.path.join(lab.folder, "dmesg.txt")
            with open(said, "wb") as text:
                text.write(kernel.wait_for(b"Killed process "))
    return Run(status, command, log, said)


def analyze(done, folder, wording="plain"):
    """The report, and the lines of the log, to which its edits refer."""
    with open(done.log, encoding="utf-8", errors="replace") as text:
        lines = WORDINGS[wording](text.read().splitlines())
    worded = os.path.join(folder, "worded.log")
    with open(worded, "w", encoding="utf-8") as text:
        text.write("".join(line + "\n" for line in lines))
    names = [worded] + ([done.dmesg] if done.dmesg else [])
    return parse(execute(["analyze", "--format", "json", *names], "/").out)


OF_PYTHON = """import importlib, sys
importlib.import_module(sys.argv[1])
fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(*(int(fields[name].split()[0]) >> 10 for name in ("RssAnon", "VmPeak", "RssFile")))"""


def import_of(lab, module):
    """MiB that importing the module takes in this version, measured once: of a group's limit, of
    addresses, and of files that are resident and which other groups have read before."""
    if module not in lab.imports:
        done = subprocess.run(["python3", "-c", OF_PYTHON, module], cwd=lab.folder, env=lab.env, check=True,
                              capture_output=True, timeout=4 * CARD_SECONDS)
        lab.imports[module] = dict(zip(("group", "address", "file"), map(int, done.stdout.split()[-3:])))
    return lab.imports[module]


def above(lab, knobs):
    """The knobs with limits that count what importing the module takes."""
    module = knobs.get("above")
    if not module:
        return knobs
    return {name: value + import_of(lab, module)[name] if value and name in ("group", "address") else value
            for name, value in knobs.items()}


def changed(knobs, by):
    """The knobs after a remedy; None when it has nothing to change here."""
    new = dict(knobs)
    for name, value in by.items():
        if name not in knobs:
            continue
        if isinstance(value, str) and value.startswith("*"):
            new[name] = max(1, int(int(knobs[name]) * float(value[1:])))
        else:
            new[name] = value
    return new if new != knobs else None


KNOBS = {"batch_size": "batch", "batch": "batch", "num_workers": "workers", "workers": "workers",
         "image_size": "image", "per_device_train_batch_size": "batch", "b": "batch", "img_size": "image",
         "seq_len": "length", "max_length": "length", "eval_batch_size": "evalbatch", "jobs": "jobs", "n_jobs": "jobs", "chunk_size": "chunk", "rows": "rows",
         "cache_size": "cache", "steps": "steps"}


def numbers(text):
    """(name in front, number) of each number."""
    return [(key.strip("-").replace("-", "_").lower(), value)
            for key, value in re.findall(r"([A-Za-z_][\w-]*)?[^\w.]{0,4}(\d+)", text)]


def edited(knobs, command, edit):
    """(knobs, command) after an edit of a line; None where the line is not of what we can set."""
    at = edit["from"].find(command)
    if at >= 0:
        behind = len(edit["from"]) - at - len(command)
        return knobs, edit["to"][at:len(edit["to"]) - behind]
    pairs = [(old, new) for old, new in zip(numbers(edit["from"]), numbers(edit["to"])) if old != new]
    if len(pairs) != 1:
        return None
    name = KNOBS.get(pairs[0][0][0])
    names = [name] if name in knobs else [n for n, v in knobs.items() if str(v) == pairs[0][0][1]]
    return ({**knobs, names[0]: int(pairs[0][1][1])}, None) if len(names) == 1 else None


def printed(action, knobs, command):
    """What the action changes as it is printed: an edit, a change of settings, or None."""
    for how in action["how"]:
        done = how["edit"] and edited(knobs, command, how["edit"])
        if done:
            return done
    names = {"batch_size": "batch", "batch": "batch", "num_workers": "workers", "image_size": "image"}
    by = {names[k]: v for k, v in (action.get("change") or {}).items() if k in names}
    new = changed(knobs, by)
    return (new, None) if new else None


def followed(scenario, action, knobs):
    """What one changes who follows the words of the action."""
    name = action["id"]
    name = name if name in scenario.hand else SAME_BY_HAND.get(name, name)
    by = scenario.hand.get(name, COMMON.get(name))
    new = by and changed(knobs, by)
    return (new, None) if new else None


@dataclass
class Result:
    scenario: object
    held: bool
    version: str
    failed: bool  # the program did, as it was meant to
    outcome: str = ""
    cause: str = ""
    certainty: str = ""
    wrong_numbers: list = field(default_factory=list)
    remedies: list = field(default_factory=list)  # of the first three: (id, cured or None: not tried)
    printed: tuple = None  # (id, cured) of the first one that is a change as printed
    batch: tuple = None  # (largest said, whether the batch to set passes, whether the largest is within a tenth)
    planned: tuple = None  # the same, of `oomdoctor plan`
    forecast: tuple = None  # (step said from the first part of the log, step at which it failed)
    wording: str = "plain"

    def right_outcome(self):
        return self.outcome in self.scenario.outcome

    def right_cause(self):
        return (self.cause or "none") in self.scenario.causes

    def cured(self, first):
        return any(cure for _, cure in self.remedies[:first])


def by_memory(trial, done):
    """Whether the kernel killed it, or it passes where memory suffices."""
    knobs = trial.knobs
    if done.dmesg:
        with open(done.dmesg, "rb") as text:
            return b"Killed process " in text.read()
    if trial.scenario.card:
        with open(done.log, "rb") as text:
            return OUT_OF_MEMORY.search(text.read()) is not None
    free = {**knobs, **{name: 0 for name in ("group", "address", "shm", "neighbor") if name in knobs}}
    free.update({name: 16 * int(knobs[name]) for name in ("heap", "limit") if name in knobs})
    return free == knobs or trial.run(free).status == 0


def wrong_numbers(scenario, knobs, incidents):
    roots = [i for i in incidents if i["echo_of"] is None]
    wrong = []
    for path, knob in scenario.numbers.items():
        want = int(knobs[knob]) * MIB
        said = of_incident(roots[0], path) if roots else None
        if said != want:
            wrong.append(f"{path}: {said}, is {want}")
    return wrong


def sources(scenario):
    """Digest of the programs that a scenario's command, or what builds them, speaks of."""
    words = scenario.command + " ".join(PROGRAMS[scenario.needs][1] or [])
    digest = hashlib.sha256()
    for folder in ("programs", "gpu"):
        for name in sorted(os.listdir(os.path.join(HERE, folder))):
            stem, _, kind = name.partition(".")
            called = [name, f"{stem}_{kind}"] + ([stem] if kind in ("", "java", "cs") else [])
            if any(re.search(rf"\b{re.escape(word)}\b", words) for word in called):
                with open(os.path.join(HERE, folder, name), "rb") as text:
                    digest.update(text.read())
    return digest.hexdigest()[:16]


class Record:
    """What came of one seed's runs: its failure's log, and which changes let it pass. It holds as long as
    scenario, programs and version are the same, so that only what is newly advised is run anew."""

    def __init__(self, lab, scenario, knobs, held):
        self.path = os.path.join(lab.records, f"{scenario.name}.{'held' if held else 'tuned'}") if lab.records else None
        self.of = [scenario.command, sorted(map(repr, knobs.items())), lab.versions[scenario.needs], sources(scenario)]
        self.seen = {}
        if self.path and os.path.exists(self.file("record.json")):
            with open(self.file("record.json"), encoding="utf-8") as text:
                seen = json.load(text)
            if seen["of"] == self.of:
                self.seen = seen

    def file(self, name):
        return os.path.join(self.path, name)

    def keep(self, **seen):
        if self.path:
            self.seen = {"tried": {}, **self.seen, **seen, "of": self.of}
            os.makedirs(self.path, exist_ok=True)
            with open(self.file("new.json"), "w", encoding="utf-8") as text:
                json.dump(self.seen, text)
            os.rename(self.file("new.json"), self.file("record.json"))

    def keep_failure(self, done, failed, knobs):
        if not self.path:
            return
        os.makedirs(self.path, exist_ok=True)
        for name, path in (("job.log", done.log), ("dmesg.txt", done.dmesg)):
            if path:
                shutil.copy(path, self.file(name))
        self.keep(failed=failed, knobs=knobs, command=done.command, dmesg=done.dmesg is not None)

    def failure(self):
        return Run(1, self.seen["command"], self.file("job.log"), self.file("dmesg.txt") if self.seen["dmesg"] else None)


class Trial:
    """One seed of one scenario. A change is tried once, in however many wordings it is advised."""

    def __init__(self, lab, scenario, held):
        self.lab, self.scenario, self.held = lab, scenario, held
        knobs = {**scenario.knobs, **(scenario.held if held else {})}
        self.record = Record(lab, scenario, knobs, held)
        self.knobs = self.record.seen.get("knobs") or above(lab, knobs)
        self.prompt = not held
        self.tried = self.record.seen.get("tried", {})
        self.made = ""  # the setup that was run last

    def run(self, knobs, command=None):
        self.lab.build(self.scenario.needs)
        setup = knobs.get("setup", "").format(**knobs)
        if setup and setup != self.made:
            self.lab.try_run(["bash", "-c", setup])
        self.made = setup
        return run(self.lab, self.scenario, knobs, self.prompt, command)

    def passes(self, change):
        """Whether the run passes with the change; None when there is no time to try."""
        key = repr((sorted(change[0].items()), change[1]))
        if key not in self.tried:
            if time.monotonic() > self.lab.until:
                return None
            status = self.run(*change).status
            if status == TOO_LONG:
                print(f"{self.scenario.name}: a trial took too long and does not count", file=sys.stderr)
                self.tried[key] = None
                return None
            self.tried[key] = status == 0
            self.record.keep(tried={change: passed for change, passed in self.tried.items() if passed is not None})
        return self.tried[key]

    def fail(self):
        """Its failure, and whether it failed as it was meant to."""
        if self.record.seen:
            return self.record.failure(), self.record.seen["failed"]
        done = self.run(self.knobs)
        survives = self.scenario.outcome in (("survived",), ("no_failure",))
        failed = (done.status == 0) == survives
        done.log, done.dmesg = kept(self.lab, done.log), kept(self.lab, done.dmesg)
        if "memory_failure" in self.scenario.outcome:
            failed = failed and done.status != TOO_LONG and by_memory(self, done)
        self.record.keep_failure(done, failed, self.knobs)
        return done, failed


def cures(lab, scenario, held):
    """Of each thing that a user could do here, whether it cures, whatever is advised."""
    trial = Trial(lab, scenario, held)
    came = {}
    for name, by in {**COMMON, **scenario.hand}.items():
        new = changed(trial.knobs, by)
        if new:
            said = ", ".join(f"{knob} {value}" for knob, value in new.items() if value != trial.knobs[knob])
            came.setdefault((said, trial.passes((new, None))), []).append(name)
    return came


def try_batch(trial, largest, to_set):
    """(the largest batch that is said to fit, whether the one to set does, whether what really fits
    is within a tenth of the largest); 0 says that none fits"""
    def passes(batch):
        return trial.passes(({**trial.knobs, "batch": batch}, None))
    if largest == 0:
        one = passes(1)
        return (0, True, not one) if one is not None else None
    safe = passes(to_set or largest)
    below, beyond = passes(max(1, math.ceil(0.9 * largest))), passes(math.ceil(1.1 * largest + 0.01))
    return (largest, safe, bool(below and not beyond)) if None not in (safe, below, beyond) else None


def try_plan(trial, log):
    """The same of the batch that `oomdoctor plan` says to be the largest, with the summary in the log."""
    words = trial.scenario.knobs.get("plan")
    if not words:
        return None
    limit = f"{trial.knobs['limit']}MiB"
    done = execute(["plan", log, "--device", limit, "--metric", "allocated", *words.split(), "--format", "json"], "/")
    if done.status != 0:
        return (0, True, False)
    found = parse(done.out)["largest_batch"] or {"expected": 0, "safe": None}
    return try_batch(trial, found["expected"], found["safe"])


STEP = re.compile(r"\b(?:step|iter|batch|trial|frame) (\d+)")


def try_forecast(trial, log):
    """(step at which the limit is said to be reached by the first 60 % of the log, step of the failure),
    where the log has a growing series of the process' memory; else None."""
    limit = trial.knobs.get("group")
    with open(log, encoding="utf-8", errors="replace") as text:
        lines = text.read().splitlines()
    steps = [(i, int(found[1])) for i, found in enumerate(map(STEP.search, lines)) if found]
    if not limit or len(steps) < 10 or "host_leak" not in trial.scenario.causes:
        return None
    # What a program prints as its resident memory has its libraries' files in it, its group's has not.
    module = trial.knobs.get("above")
    limit += import_of(trial.lab, module)["file"] if module else 0
    part = os.path.join(trial.lab.folder, "part.log")
    with open(part, "w", encoding="utf-8") as text:
        text.write("".join(line + "\n" for line in lines[:steps[6 * len(steps) // 10][0] + 1]))
    found = parse(execute(["analyze", "--format", "json", "--ram", f"{limit}MiB", part], "/").out)
    series = [s for s in found["series"] if s["metric"] == "host_rss_bytes"]
    said = [s["exhausts_at"]["x"] for s in series if s["exhausts_at"]]
    return (said[0] if said else None, steps[-1][1] + 1) if series else None


def try_remedies(trial, result, command, actions):
    """The first three as they are offered, and the first that is a change as it is printed."""
    tried = {}
    for i, action in enumerate(actions):
        change = printed(action, trial.knobs, command)
        as_printed = change is not None
        if i < 3 and not as_printed:
            change = followed(trial.scenario, action, trial.knobs)
        if change and (i < 3 or (as_printed and not result.printed)):
            tried[i] = trial.passes(change)
            if as_printed and not result.printed and tried[i] is not None:
                result.printed = (action["id"], tried[i])
        if i < 3:
            result.remedies.append((action["id"], tried.get(i)))


def judge(trial, done, wording):
    """The report of a failure in a wording, and what came of its advice."""
    scenario = trial.scenario
    result = Result(scenario, trial.held, trial.lab.versions[scenario.needs], True, wording=wording)
    found = analyze(done, trial.lab.folder, wording)
    result.outcome = found["outcome"]
    first = found["diagnosis"][0] if found["diagnosis"] else None
    if first:
        result.cause, result.certainty = first["cause"], first["certainty"]
    result.wrong_numbers = wrong_numbers(scenario, trial.knobs, found["incidents"])
    if "memory_failure" in scenario.outcome:
        plan = found["plan"] or {"actions": [], "batch": None}
        try_remedies(trial, result, done.command, plan["actions"])
        batch = plan["batch"] or {}
        if batch.get("largest_that_fits") is not None and "batch" in trial.knobs:
            result.batch = try_batch(trial, batch["largest_that_fits"], batch["recommended"])
        if wording == "plain":
            result.planned, result.forecast = try_plan(trial, done.log), try_forecast(trial, done.log)
    return result


def kept(lab, path):
    """A copy that the next run does not write over."""
    if not path:
        return None
    copy = os.path.join(lab.folder, "first." + os.path.basename(path))
    shutil.copy(path, copy)
    return copy


def experiment(lab, scenario, held, wordings=("plain",)):
    """One seed of one scenario, from the failure to the cure; a result for each wording."""
    for name in ("job.log", "dmesg.txt"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(lab.folder, "first." + name))
    trial = Trial(lab, scenario, held)
    if not trial.record.seen and time.monotonic() > lab.until:
        return []
    done, failed = trial.fail()
    if not failed:
        return [Result(scenario, held, lab.versions[scenario.needs], False)]
    return [judge(trial, done, wording) for wording in wordings]
