"""python -m oomdoctor train.py ...: runs the program under `oomdoctor run`, which explains why it failed.

python -m oomdoctor -m package ... runs a module, python -m oomdoctor analyze LOG any command of oomdoctor.
"""

import os
import sys

from oomdoctor import Error
from oomdoctor._command import find_command


def main():
    words = sys.argv[1:]
    try:
        command = find_command()
    except Error as error:
        sys.exit(str(error))
    if words and (words[0] == "-m" or words[0].endswith(".py")):
        os.environ["OOMDOCTOR_OUTSIDE"] = "1"
        words = ["run", "--", sys.executable, "-m", "oomdoctor.auto", *words]
    os.execv(command, ["oomdoctor", *words])


if __name__ == "__main__":
    main()
