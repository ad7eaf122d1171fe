"""How people come by a log: as it is, or wrapped by what collected it. A wording changes lines and
nothing else, so one failure is analyzed in each, and a remedy is tried once for all of them."""

import datetime
import json

START = datetime.datetime(2026, 3, 14, 9, 26, 53)


def stamp(number):
    return START + datetime.timedelta(seconds=0.4 * number)


def plain(lines):
    return lines


def stamped(lines):
    return [f"{stamp(i):%Y-%m-%d %H:%M:%S},{i % 1000:03d} INFO {line}" for i, line in enumerate(lines)]


def ranked(lines):
    return [f"[rank0]: {line}" for line in lines]


def docker(lines):
    return [json.dumps({"log": line + "\n", "stream": "stdout", "time": f"{stamp(i):%Y-%m-%dT%H:%M:%S}.000000000Z"})
            for i, line in enumerate(lines)]


def systemd(lines):
    return [f"{stamp(i):%b %d %H:%M:%S} node7 run.sh[4711]: {line}" for i, line in enumerate(lines)]


def coloured(lines):
    return [f"\x1b[36m{line}\x1b[0m" for line in lines]


WORDINGS = {"plain": plain, "stamped": stamped, "ranked": ranked, "docker": docker, "systemd": systemd,
            "coloured": coloured}
