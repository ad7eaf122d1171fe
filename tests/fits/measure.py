#!/usr/bin/env python3
"""What analyze answers to runs that nobody tuned it on: networks of nets.py trained on a simulated
device until they fail, the largest batch known by bisection.

measure.py OOMDOCTOR [--cases N] [--seed S] [--family NAME] [--keep DIR] [-v | --check]"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import logs
import nets

MIB = 1 << 20
LIMITS = [1800, 2767, 3900, 5020, 7400, 9650, 10400, 13800, 14600, 22100]


def habits(chance):
    return dict(slots=chance.choice((0, 1, 2, 2, 2)), update=chance.choice(("fused", "fused", "new")),
                held=chance.random() < .15, dropout=chance.choice(("select", "cast")),
                workspace=chance.choice((0, 0, .3, 1, 2)), width=2 if chance.random() < .12 else 4,
                beside=chance.random() < .3)


def case(family, number, seed):
    """(log, truth) of a run; None where chance gave none that fails in a step."""
    chance = random.Random(zlib.crc32(f"{family} {number} {seed}".encode()))
    habit = habits(chance)
    step, arguments = nets.make(family, chance, **habit)
    jitter = chance.choice((2, 4, 6))
    traces = [step.trace(jitter, chance.random()) for _ in range(3)]
    growth = chance.random() < .35
    told, listed = chance.random() < .55, chance.random() < .6
    for limit in chance.sample(LIMITS, len(LIMITS)):
        limit = limit * MIB + chance.randrange(MIB // 256) * 256
        if logs.fits(step, traces[0], limit, growth, 4, 1) is not None:
            continue
        found = [logs.largest(step, t, limit, growth) for t in traces]
        if 3 < found[0] < 3000:
            break
    else:
        return None
    tried = max(found[0] + 1, int(found[0] * chance.uniform(1.04, 2.3)))
    if chance.random() < .4 and tried > 16:
        tried = -(-tried // 16) * 16
    while tried <= found[0] * 3:
        made = logs.log(step, traces[0], limit, growth, tried, told, listed)
        if made:
            text, sizes = made
            return text, dict(sizes=sizes, family=family, number=number, arguments=arguments, habits=habit,
                              limit=limit, growth=growth, told=told, listed=listed and bool(step.rows),
                              tried=tried, largest=found[0], seeds=[min(found), max(found)])
        tried += 1
    return None


def lengths_case(number, seed):
    """Samples of many lengths: after some steps one fails that is longer than those before it, and
    the longest is perhaps yet to come. What fits is what fits at that one."""
    chance = random.Random(zlib.crc32(f"lengths {number} {seed}".encode()))
    habit = habits(chance)
    most, hidden = chance.choice((128, 192, 256, 384, 512)), chance.choice((512, 768))
    arguments = dict(hidden=hidden, blocks=chance.choice((6, 12)), causal=chance.random() < .3)
    usual = sorted({max(16, int(most * part) // 16 * 16) for part in (.2, .3, .4, .5, .65)})

    def build(length):
        step = nets.Net(**habit)
        nets.bert(step, chance, length=length, **arguments)
        return step, step.trace(4, chance.random())

    made = {length: build(length) for length in usual + [most]}
    longest, trace = made[most]
    for limit in chance.sample(LIMITS, len(LIMITS)):
        limit *= MIB
        if logs.fits(longest, trace, limit, False, 4, 1) is None:
            break
    else:
        return None
    largest = logs.largest(longest, trace, limit, False)
    others = [made[chance.choice(usual[:-1])] for _ in range(12)] + [made[usual[-1]]] * 2
    for times in (2.6, 2.2, 1.8, 1.5, 1.3, 1.1):
        tried = int(largest * times) + 1
        failed = logs.fits(longest, trace, limit, False, tried, 1, [t for _, t in others])
        if failed and failed[4] > 4:
            break
    else:
        return None
    text = logs.log(longest, trace, limit, False, tried, True, False, others)
    return text[0], dict(sizes=text[1], family="lengths", number=number, arguments=arguments, habits=habit,
                         limit=limit, growth=False, told=True, listed=False, tried=tried, largest=largest,
                         seeds=[largest, largest])


def answer(program, text):
    done = subprocess.run([program, "analyze", "--format", "json", "-"], input=text.encode(),
                          stdout=subprocess.PIPE, check=False)
    report = json.loads(done.stdout)
    plan = report.get("plan") or {}
    return report, plan.get("batch") or {}


def judged(truth, batch):
    lo, hi = truth["seeds"]
    have, want = batch.get("largest_that_fits"), truth["largest"]
    given = batch.get("range")
    out = dict(have=have, range=given, recommended=batch.get("recommended"), basis=batch.get("basis"),
               error=None if have is None else max(lo - have, have - hi, 0) / want)
    out["covers"] = bool(given) and given[0] <= want <= given[1]
    out["too_large"] = (batch.get("recommended") or 0) > hi
    out["pow2"] = have is not None and int(math.log2(max(have, 1))) == int(math.log2(want))
    return out


FIXED = {"weights", "gradients", "optimizer", "buffers", "constant", "fixed"}


def attributed(truth, report):
    """Bytes in use, those of them that have a role, and those whose role is right."""
    sizes = {int(k): v for k, v in truth["sizes"].items()}
    labelled = right = 0
    for size in report["allocators"][0]["sizes"] if report["allocators"] else []:
        fixed, grows = sizes.get(size["bytes"], (0, 0))
        role = size["candidates"][0]["role"] if size["candidates"] else None
        if role:
            labelled += fixed + grows
            right += fixed if role in FIXED else grows
    return sum(map(sum, sizes.values())), labelled, right


def shares(group):
    """Per cent of the bytes that have a role, and of those that have the right one."""
    whole, labelled, right = (sum(r["bytes"][i] for r in group) for i in range(3))
    return 100 * labelled / whole, 100 * right / max(1, labelled)


def table(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    print(f"{'':28}{'runs':>5}{'number':>8}{'5 %':>6}{'10 %':>6}{'20 %':>6}{'covers':>8}{'unsafe':>8}"
          f"{'pow2':>6}{'median':>8}{'labels':>8}{'right':>7}")
    for name, group in sorted(groups.items()) + [("all", rows)]:
        told = [r for r in group if r["error"] is not None]
        errors = sorted(r["error"] for r in told)

        def part(n, of=len(group)):
            return f"{100 * n / of:.0f}" if of else "-"

        print(f"{name:28}{len(group):5}{part(len(told)):>8}"
              + "".join(f"{part(sum(e <= x for e in errors)):>6}" for x in (.05, .1, .2))
              + f"{part(sum(r['covers'] for r in group if r['range']), sum(bool(r['range']) for r in group)):>8}"
              + f"{part(sum(r['too_large'] for r in group)):>8}{part(sum(r['pow2'] for r in told)):>6}"
              + f"{errors[len(errors) // 2] if errors else 0:8.3f}"
              + "{:8.0f}{:7.1f}".format(*shares(group)))


QUICK = ["vgg transfer", "small cnn", "autoencoder", "u-net", "vgg", "lstm series", "lstm both ways", "resnet basic"]


def check(rows):
    """The bounds are what was reached, less a little: a change that breaks a method is seen."""
    told = [r for r in rows if r["error"] is not None]
    listed = [r for r in rows if r["listed"]]
    _, right = shares(rows)
    results = [
        ("runs fail as they should", len(rows) >= 8),
        ("with a table there is a number", all(r["error"] is not None for r in listed)),
        ("most numbers are within a tenth", sum(r["error"] <= .1 for r in told) >= .8 * len(told)),
        ("ranges cover", sum(r["covers"] for r in told) >= .9 * len(told)),
        ("what is recommended fits", sum(r["too_large"] for r in rows) <= 1),
        ("labels are right", right >= 98),
    ]
    print(f"1..{len(results)}")
    for number, (name, good) in enumerate(results, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for r in rows:
        print(f"# {r['family']} {r['number']}: {r['have']} {r['range']}, {r['seeds']}, "
              f"{'with a table' if r['listed'] else 'without'}")
    return 0 if all(good for _, good in results) else 1


def main():
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("program")
    ask.add_argument("--cases", type=int, default=4, help="of each family")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--family", action="append")
    ask.add_argument("--keep", help="a folder for logs and truths; those there are used again")
    ask.add_argument("-v", action="store_true")
    ask.add_argument("--check", action="store_true", help="TAP: a few small ones, held to bounds")
    args = ask.parse_args()
    if args.check:
        args.family, args.cases, args.seed = QUICK, 2, 5
    rows = []
    for family in args.family or [*nets.FAMILIES, "lengths"]:
        for number in range(args.cases):
            path = args.keep and os.path.join(args.keep, f"{family.replace(' ', '_')}-{args.seed}-{number}")
            if path and os.path.exists(path + ".json"):
                with open(path + ".json") as f:
                    truth = json.load(f)
                with open(path + ".log") as f:
                    text = f.read()
            else:
                made = lengths_case(number, args.seed) if family == "lengths" else case(family, number, args.seed)
                text, truth = made or ("", None)
                if path:
                    with open(path + ".log", "w") as f:
                        f.write(text)
                    with open(path + ".json", "w") as f:
                        json.dump(truth, f)
            if not truth:
                continue
            report, batch = answer(args.program, text)
            row = {**truth, **judged(truth, batch), "bytes": attributed(truth, report)}
            row["cause"] = report["diagnosis"][0]["cause"] if report["diagnosis"] else None
            rows.append(row)
            _, labelled, right = row["bytes"]
            if args.v and right < .97 * labelled:
                print(f"~ {family} {number}: {100 * right / labelled:.0f} % of the labels right, slots {row['habits']['slots']} "
                      f"{'table' if row['listed'] else 'bare'} {'growth' if row['growth'] else ''}")
            if args.v and (row["error"] is None or row["error"] > .1 or row["too_large"] or not row["covers"]):
                print(f"- {family} {number}: {row['have']} {row['range']} rec {row['recommended']}, truth {row['seeds']} "
                      f"{row['largest']} tried {row['tried']} {'table' if row['listed'] else 'bare'} "
                      f"{'told' if row['told'] else 'untold'} {'growth' if row['growth'] else ''} {row['cause']} "
                      f"{row['arguments']} {row['habits']} | {(row['basis'] or '')[:60]}")
    if args.check:
        return check(rows)
    table(rows, lambda r: r["family"])
    table(rows, lambda r: "with a table" if r["listed"] else "without")
    table(rows, lambda r: re.sub(r"\d+", "N", r["basis"] or "no number")[:27])  # who won


if __name__ == "__main__":
    sys.exit(main())
