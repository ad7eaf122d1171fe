"""A small runner of composite actions: what GitHub's does with `run` steps, as far as it is used."""

import os
import re
import subprocess

import yaml


class Run:
    def __init__(self, status, out, err, outputs, uploads, summary):
        self.status, self.out, self.err = status, out, err
        self.outputs, self.uploads, self.summary = outputs, uploads, summary


def substitute(text, scope):
    """${{ inputs.log }} and the like, put in as they are."""
    return re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", lambda found: scope[found.group(1)], str(text))


def read_outputs(path):
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, _, value = line.rstrip("\n").partition("=")
            found[name] = value
    return found


def is_wanted(condition, status, scope):
    """Of "always() && inputs.comment == 'true'" and the like."""
    parts = [part.strip() for part in condition.split("&&")] if condition else []
    if status != 0 and "always()" not in parts:
        return False
    pairs = [part.split(" == ") for part in parts if " == " in part]
    return all(str(scope.get(name, "")) == value.strip("'") for name, value in pairs)


def run_action(path, inputs, folder, environment=(), github=()):
    """Runs the steps of an action in a folder, with these inputs and values of the context github."""
    with open(path, encoding="utf-8") as text:
        action = yaml.safe_load(text)
    temp = os.path.join(folder, "temp")
    os.makedirs(temp, exist_ok=True)
    scope = {"github.token": "token", "github.event_name": "push", **dict(github)}
    scope.update({f"inputs.{name}": substitute(inputs.get(name, row.get("default", "")), scope)
                  for name, row in action["inputs"].items()})
    scope["runner.temp"] = temp
    status, out, err, uploads = 0, b"", b"", []
    files = {name: os.path.join(temp, name) for name in ("output", "summary")}
    for name in files.values():
        with open(name, "w", encoding="utf-8"):
            pass
    for step in action["runs"]["steps"]:
        if not is_wanted(step.get("if"), status, scope):
            continue
        if "uses" in step:
            where = substitute(step["with"]["path"], scope)
            uploads += sorted(os.listdir(where)) if os.path.isdir(where) else []
            continue
        env = dict(os.environ, RUNNER_TEMP=temp, GITHUB_OUTPUT=files["output"],
                   GITHUB_STEP_SUMMARY=files["summary"], **dict(environment))
        env.update({name: substitute(value, scope) for name, value in step.get("env", {}).items()})
        done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c",
                               substitute(step["run"], scope)], cwd=folder, env=env,
                              capture_output=True, check=False)
        status, out, err = status or done.returncode, out + done.stdout, err + done.stderr
        for name, value in read_outputs(files["output"]).items():
            scope[f"steps.{step.get('id')}.outputs.{name}"] = value
    outputs = {name: substitute(row["value"], {**{k: "" for k in re.findall(
        r"\$\{\{\s*([\w.-]+)\s*\}\}", row["value"])}, **scope})
               for name, row in action["outputs"].items()}
    with open(files["summary"], encoding="utf-8") as text:
        return Run(status, out.decode(), err.decode(), outputs, uploads, text.read())
