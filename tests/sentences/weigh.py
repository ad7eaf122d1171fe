#!/usr/bin/env python3
"""Fits what words speak for a statement of a failure (src/readers/logs/sentence_weights.tsv).

  weigh.py collect REPOSITORY...     rows of lines, by weak labels, from git repositories
  weigh.py fit SIGNS ROWS > weights  weights of the signs that tests/sentences/signs tells of ROWS
                                     and of the samples in rules/

A row is label, weight and text, parted by tabs. Collected are the texts that sources print: those within
five lines behind a call that allocates and a check of what it gave are statements (1); help, comments,
what is logged for debugging, other texts in the same words, and lines of manuals are none (0). Such
labels are wrong here and there; the weights stand what is rare. Hold out by repository: a program says
the same thing in many places.

The weights in use were fitted to 17,350 rows from half of 224 repositories and from manual pages. Of the
texts of the other half that state a failure 82 of 100 are heard (76 by rules of thumb before), and of
single lines of manuals 4.5 of 100 are taken for one (7.8 before).

A change of the lexicon or of the signs may leave a sample unread: the build says so. Then fit again, with
a build of signs.c that has the new words.
"""
import glob
import math
import os
import re
import subprocess
import sys

import yaml

TOP = os.environ.get("TOP_SRCDIR", os.path.join(os.path.dirname(__file__), "..", ".."))
SPEAKS = re.compile(r"memor|alloc|exhaust|not enough|insuffic|out of|no room|no space|ENOMEM|OOM", re.I)
STATES = re.compile(
    r"out[ -]of[ -]([a-z]+ )?memory|(insufficient|not enough|no more|lack of) ([a-z]+ )?(memory|ram|heap|vram)"
    r"|(can.?not|can.t|could ?n.t|could not|unable to|failed to) (re|c|m)?alloc|alloc\w* ([a-z]+ )?(error|fail)"
    r"|memory (is )?exhaust", re.I)
SOURCES = "*.c *.cc *.cpp *.cu *.h *.hpp *.py *.go *.rs *.java *.jl *.f90 *.R *.m *.ml *.cs *.pl".split()
MANUALS = "*.md *.rst *.txt *.html *.adoc *.1 *.2 *.3 *.7 *.8".split()
ASIDE = re.compile(r"(^|/)(tests?|third_?party|3rdparty|vendor|extern(al)?|contrib|deps|node_modules|po)/", re.I)
CALL = re.compile(r"\b(\w*(alloc|Alloc|ALLOC)\w*|new|mmap|strn?dup|resize|reserve|CreateBuffer\w*)\s*[(\[<]|=\s*new\s")
CHECK = re.compile(r"!\s*[\w>.()*-]+\s*\)|==\s*(NULL|nullptr|nil|0|None|MAP_FAILED)\b|NULL ==|bad_alloc|"
                   r"MemoryError|OutOfMemory|ENOMEM|!=\s*\w*([sS]uccess|SUCCESS|_OK)\w*|!=\s*(NULL|0)\b")
PRINTS = re.compile(r"print|throw|raise|err|log|fatal|panic|abort|die|exit|warn|message|fail|stop", re.I)
HELP = re.compile(r"add_argument|help\s*[=:]|OPT_|usage|--\w|describe|metavar|_\(\"", re.I)


def git(repository, *words):
    run = subprocess.run(["git", "-C", repository, *words], capture_output=True, check=False)
    return run.stdout.decode("utf-8", "replace").split("\n")


def rendered(text):
    """As printed: a number for what is a number, a name for what is a string."""
    text = re.sub(r"\\[nt]", " ", text).replace('\\"', '"').replace("%%", "%")
    text = re.sub(r"%[-+ 0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|z|j|t)?[duifgxeX]|\{\d?(?::[^}]*)?\}", " 417 ", text)
    return re.sub(r"%[-\d.*]*[sScp@vq]|\{[a-zA-Z_][^}]*\}|\$\{?[\w.]+\}?", " xqz ", text).strip()


def label_of(text, before, line):
    if HELP.search(line) or HELP.search(text) or line.strip().startswith(("//", "*", "/*", "#")):
        return 0
    checked = CALL.search(before) and CHECK.search(before) and PRINTS.search(before)
    return 1 if checked or STATES.search(text) else 0


def literals(repository):
    """The texts of a repository's sources that speak of memory, each with its label."""
    seen, block, rows = set(), [], []
    key = r'"[^"]*(memory|alloc|Alloc|exhaust|ot enough|nsufficient|ut of|ould not |nable to |ailed to )[^"]*"'
    for found in git(repository, "grep", "-nI", "-B5", "-E", key, "HEAD", "--", *SOURCES):
        match = re.match(r"HEAD:(.*?)([:-])(\d+)\2(.*)", found)
        if not match:
            block = []
            continue
        block = block[-4:] + [re.sub(r'"[^"]*"', '""', match[4])]
        texts = [s for s in re.findall(r'"((?:[^"\\]|\\.)*)"', match[4]) if SPEAKS.search(s)]
        if match[2] != ":" or ASIDE.search(match[1]) or len(texts) != 1 or " " not in texts[0]:
            continue
        shape = re.sub(r"\W|\d", "", texts[0].lower())
        if shape not in seen:
            seen.add(shape)
            rows.append((label_of(texts[0], " ".join(block), block[-1]), rendered(texts[0])))
    return rows


def manuals(repository):
    found = git(repository, "grep", "-hIE", SPEAKS.pattern.replace(r"\b", ""), "HEAD", "--", *MANUALS)
    return [(0, line.strip()) for line in found if SPEAKS.search(line) and len(line) < 400]


def collect(repositories):
    most = 250
    for repository in repositories:
        for rows in (literals(repository), manuals(repository)):
            for label, text in rows[::max(1, len(rows) // most)]:
                print(label, 1, text.replace("\t", " "), sep="\t")


def own_rows():
    """The samples of the rules and of the lexicon, and its near misses, which weigh more."""
    failures = {"alloc_failed", "kv_cache_failed", "compile_failed", "context_failed", "alloc_refused"}
    for name in sorted(glob.glob(os.path.join(TOP, "rules", "*.yaml"))):
        for rule in (yaml.safe_load(open(name, encoding="utf-8")) or {}).get("rules", []):
            if rule["means"] in failures:
                yield from ((1, 2, sample["line"]) for sample in rule.get("samples", []))
    lexicon = yaml.safe_load(open(os.path.join(TOP, "rules/words/failure.yaml"), encoding="utf-8"))
    for sample in lexicon["samples"]:
        if sample.get("kind") not in ("soft_warning", None):
            yield 1, 15, sample["line"]
    yield from ((0, 12, line) for line in lexicon["near_misses"])
    for name in ("wordings.tsv", "wordings_more.tsv"):
        for line in open(os.path.join(TOP, "tests/sentences", name), encoding="utf-8"):
            half, _, _, text = line.rstrip("\n").split("\t", 3)
            if half == "tune":
                yield 1, 0.5, text.replace("\\n", "\n")


def signs_of(program, texts):
    """Of each text its signs; none where nothing in it can be a refusal."""
    given = "".join(text.replace("\n", "\x01") + "\n" for text in texts)
    told = subprocess.run([program], input=given.encode(), capture_output=True, check=True).stdout
    return [line.split("\t")[1:] for line in told.decode("utf-8", "replace").split("\n")[:-1]]


def descend(rows, count, penalty=2.0, rounds=400):
    """Logistic regression that likes few weights, by accelerated proximal gradients."""
    weights, last, bias, last_bias, pace = [0.0] * count, [0.0] * count, 0.0, 0.0, 1.0
    scale = 0.25 * sum(w * (len(signs) + 1) for _, w, signs in rows) / 12
    for _ in range(rounds):
        ahead = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
        push = (pace - 1) / ahead
        at = [w + push * (w - v) for w, v in zip(weights, last)]
        at_bias, pace = bias + push * (bias - last_bias), ahead
        slope, bias_slope = [0.0] * count, 0.0
        for label, weight, signs in rows:
            total = at_bias + sum(at[i] for i in signs)
            error = weight * (1 / (1 + math.exp(-max(-30, min(30, total)))) - label)
            bias_slope += error
            for i in signs:
                slope[i] += error
        last, last_bias = weights, bias
        weights = [math.copysign(max(0, abs(a - s / scale) - penalty / scale), a - s / scale)
                   for a, s in zip(at, slope)]
        bias = at_bias - bias_slope / scale
    return weights, bias


def fit(program, name):
    rows = list(own_rows())
    for line in open(name, encoding="utf-8"):
        label, weight, text = line.rstrip("\n").split("\t", 2)
        rows.append((int(label), float(weight), text.replace("\x01", "\n")))
    told = [(label, weight, set(signs)) for (label, weight, _), signs
            in zip(rows, signs_of(program, [text for _, _, text in rows])) if signs]
    often = {}
    for _, _, signs in told:
        for sign in signs:
            often[sign] = often.get(sign, 0) + 1
    place = {sign: i for i, sign in enumerate(sorted(s for s in often if often[s] >= 4))}
    weights, bias = descend([(label, weight, [place[s] for s in signs if s in place])
                             for label, weight, signs in told], len(place))
    print("$", round(100 * bias), sep="\t")
    for sign, i in place.items():
        if abs(weights[i]) >= 0.05:
            print(sign, round(100 * weights[i]), sep="\t")


if __name__ == "__main__":
    collect(sys.argv[2:]) if sys.argv[1] == "collect" else fit(*sys.argv[2:])
