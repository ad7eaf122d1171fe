"""Lines with secrets and lines without, and what logs are wrapped in. The values are made here, so that no
scanner takes a file of this project for a leak."""

import gzip
import json
import os
import random
import re
import string
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
SETS = {"a": string.ascii_letters + string.digits, "x": "0123456789abcdef", "A": string.ascii_uppercase + string.digits,
        "l": string.ascii_lowercase + string.digits, "d": string.digits, "u": string.ascii_letters + string.digits + "-_"}


class Maker:
    """Values of each kind; no two alike, so that one line's name does not give away another's."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = set()

    def word(self, syllables):
        while True:
            made = "".join(self.random.choice("bdfgklmnprstvz") + self.random.choice("aeiou") for _ in range(syllables))
            if made not in self.names:
                self.names.add(made)
                return made

    def chars(self, kind, n):
        made = "".join(self.random.choice(SETS[kind]) for _ in range(n))
        if kind in "ux" and n > 8:  # begins and ends like what it stands for
            made = self.random.choice("abcdef") + made[1:-2] + self.random.choice("01234") + self.random.choice("abcdef")
        if kind in "alA" and n > 4:
            made = made[:-2] + self.random.choice("234") + self.random.choice("XYZ" if kind == "A" else "xyz")
        return made

    def base64(self, n):
        return "".join(self.random.choice(SETS["a"] + "+/") for _ in range(n - 2)) + "0="

    def password(self, n):
        marks = "".join(self.random.choice("!#%^*+@_-.?") for _ in range(n // 5))
        body = "".join(self.random.choice(SETS["a"]) for _ in range(n - 1 - len(marks)))
        return body[:3] + marks + body[3:] + self.random.choice("0123456789")

    def make(self, kind, n):
        if kind == "b":
            return self.base64(n)
        if kind == "p":
            return self.password(n)
        if kind == "U":
            return "-".join(self.chars("x", k) for k in (8, 4, 4, 4, 12))
        if kind == "n":
            return self.word(3)
        if kind == "h":
            return self.word(2) + f"{self.random.randrange(100, 999)}"
        if kind == "F":
            return f"{self.word(2).title()} {self.word(3).title()}"
        return self.chars(kind, n)


class Line:
    """A line (or some), its kind, and what of it is secret."""

    def __init__(self, half, kind, form, maker):
        self.half, self.kind, self.form = half, kind, form
        text, secrets, self.marked = "", [], []
        marked = re.split(r"<<(.*?)>>(?!>)", form)
        for i, part in enumerate(marked):
            part, made = fill(part, maker)
            text += part
            if i % 2:
                secrets += [m for m in made if len(m) >= 4] or [part]
                self.marked.append(part)
        self.text, self.secrets = text.replace("⏎", "\n"), secrets

    def left(self, shown):
        """What is still to be seen of it."""
        return [secret for secret in self.secrets if secret in shown]


def fill(part, maker):
    made = []

    def one(found):
        if found.group() == "%%":
            return "%"
        value = maker.make(found.group(1), int(found.group(2) or 0))
        made.extend(value.split(" "))
        return value
    return re.sub(r"%%|%([axAldubpUnhF])(\d*)", one, part), made


def lines(name, seed=1):
    maker = Maker(seed)
    found, half, kind = [], "", ""
    with open(os.path.join(HERE, name), encoding="utf-8") as data:
        for form in data.read().splitlines():
            if form.startswith("== "):
                _, half, kind = form.split()
            elif form and not form.startswith("# "):
                found.append(Line(half, kind, form, maker))
    return found


def each(wrap):
    return lambda text: "\n".join(wrap(line) for line in text.split("\n"))


def docker(line):
    return json.dumps({"log": line + "\n", "stream": "stderr", "time": "2026-11-21T05:21:39.1Z"})


# How logs come. A wrapping takes text and gives text, or bytes of a file.
WRAPPINGS = {
    "plain": lambda text: text,
    "colored": each(lambda line: re.sub(r"([^\s=:\"'/@,]{4,})", "\x1b[1;32m\\1\x1b[0m", line)),
    "docker": each(docker),
    "json in json": each(lambda line: json.dumps({"message": docker(line), "level": "error"})),
    "kubernetes": each(lambda line: "2026-11-21T05:21:39.123456789Z stderr F " + line),
    "ranks": each(lambda line: "[rank3]: " + line),
    "percent": each(lambda line: "GET /log?text=" + urllib.parse.quote(line)),
    "utf-16": lambda text: b"\xff\xfe" + text.encode("utf-16le"),
    "gzip": lambda text: gzip.compress(text.encode()),
}


def wrapped(name, text):
    made = WRAPPINGS[name](text)
    return made if isinstance(made, bytes) else made.encode()
