#!/usr/bin/env python3
"""Makes rows of src/readers/models/public_models.tsv from configurations that you have.

    public_language.py OOMDOCTOR SOURCE NAME=config.json...

SOURCE is a word that the heading of the table explains (hub: the config.json of the model's page).
A row keeps the settings that the reader of configurations knows (src/readers/hf_*.c), quantization
among them, and the number of parameters that `plan` counts from it: hold that against the number that
is published before the row goes in."""

import json
import os
import re
import subprocess
import sys

READERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "readers")
LEAST = {"model_type", "architectures"}


def known_settings():
    """Words in quotes of the readers' sources, with a bar between those that mean the same."""
    words = set()
    for name in os.listdir(READERS):
        if name.startswith("hf_") and name.endswith(".c"):
            with open(os.path.join(READERS, name), encoding="utf-8") as file:
                for quoted in re.findall(r'"([a-z0-9_|]+)"', file.read()):
                    words.update(quoted.split("|"))
    return words


def row_of(program, source, name, path, known):
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    kept = {key: value for key, value in config.items() if key in known and value is not None}
    kept.pop("architectures", None)
    plan = subprocess.run([program, "plan", "--inference", "--format", "json", "-q", path],
                          stdout=subprocess.PIPE, check=True)
    parameters = json.loads(plan.stdout)["model"]["parameters"]
    return "\t".join([name, str(parameters), source, json.dumps(kept, separators=(",", ":"))])


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    known = known_settings() | LEAST
    for operand in sys.argv[3:]:
        name, path = operand.split("=", 1)
        print(row_of(sys.argv[1], sys.argv[2], name, path, known))


if __name__ == "__main__":
    main()
