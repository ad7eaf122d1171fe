"""The command of this installation."""

import os
import shutil
import sysconfig


class Error(Exception):
    """A log, rule pack or model that cannot be read, a plan that cannot be made, or no command."""


def _candidates():
    here = os.path.dirname(os.path.abspath(__file__))
    for up in ("..", "../../../.."):  # pip --target, and a prefix or environment
        yield os.path.join(here, up, "bin/oomdoctor")
    yield os.path.join(sysconfig.get_path("scripts"), "oomdoctor")


def find_command():
    """Its path; Error where there is none. OOMDOCTOR in the environment goes first, PATH last."""
    named = os.environ.get("OOMDOCTOR")
    found = named or next((path for path in _candidates() if os.access(path, os.X_OK)), None) or shutil.which("oomdoctor")
    if not found or (named and not shutil.which(named)):
        raise Error(f"no command oomdoctor: {named or 'neither in this installation nor in PATH'}")
    return found
