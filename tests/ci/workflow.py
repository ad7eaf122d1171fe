"""Reads a step's output as the runner of GitHub Actions does: which lines are commands, and what they
hold once its escapes are undone. Rules: a line that begins with "::" (blanks before it do not count) is
`::NAME KEY=VALUE,KEY=VALUE::DATA`; else "##[NAME KEY=VALUE;KEY=VALUE]DATA" counts wherever it stands."""

import re

DATA = (("%0D", "\r"), ("%0A", "\n"))
PROPERTY = DATA + (("%3A", ":"), ("%2C", ","))


def unescape(text, escapes):
    for escaped, plain in escapes:
        text = text.replace(escaped, plain)
    return text.replace("%25", "%")


class Command:
    def __init__(self, name, properties, data):
        self.name, self.properties, self.data = name, properties, data


def new_style(line):
    found = re.match(r"\s*::(.*?)::(.*)$", line, re.S)
    if not found:
        return None
    name, _, rest = found.group(1).partition(" ")
    pairs = [pair.split("=", 1) for pair in rest.strip().split(",") if pair]
    properties = {pair[0].strip(): unescape(pair[1], PROPERTY) for pair in pairs if len(pair) == 2}
    return Command(name, properties, unescape(found.group(2), DATA))


def old_style(line):
    found = re.search(r"##\[(\S+?)(?: [^\]]*)?\](.*)$", line, re.S)
    return Command(found.group(1), {}, found.group(2)) if found else None


def commands(text):
    """(commands, lines that are none)"""
    found, plain = [], []
    for line in re.split(r"\r\n|\r|\n", text):
        command = new_style(line) or old_style(line)
        if command:
            found.append(command)
        elif line:
            plain.append(line)
    return found, plain
