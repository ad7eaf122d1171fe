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


def run_action(path, inputs, folder, environment=()):
    """Runs the steps of an action in a folder, with these inputs."""
    with open(path, encoding="utf-8") as text:
        action = yaml.safe_load(text)
    temp = os.path.join(folder, "temp")
    os.makedirs(temp, exist_ok=True)
    scope = {f"inputs.{name}": inputs.get(name, row.get("default", ""))
             for name, row in action["inputs"].items()}
    scope["runner.temp"] = temp
    status, out, err, uploads = 0, b"", b"", []
    files = {name: os.path.join(temp, name) for name in ("output", "summary")}
    for name in files.values():
        with open(name, "w", encoding="utf-8"):
            pass
    for step in action["runs"]["steps"]:
        if status != 0 and step.get("if") != "always()":
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
        status, out, err = done.returncode, out + done.stdout, err + done.stderr
        for name, value in read_outputs(files["output"]).items():
            scope[f"steps.{step['id']}.outputs.{name}"] = value
    outputs = {name: substitute(row["value"], {**{k: "" for k in re.findall(
        r"\$\{\{\s*([\w.-]+)\s*\}\}", row["value"])}, **scope})
               for name, row in action["outputs"].items()}
    with open(files["summary"], encoding="utf-8") as text:
        return Run(status, out.decode(), err.decode(), outputs, uploads, text.read())
