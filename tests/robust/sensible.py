"""What must hold of any report, whatever the log: it does not contradict itself.

faults(report, text) yields a sentence for each contradiction; `report` is the JSON, `text` what
`-v --why` prints of the same log, or None; `screen`: the default report; `elsewhere`: it was asked what
fits on another device."""

import os
import re

import repeated

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

SIZE = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50}
CHANCE = 0.02  # what is printed is rounded
ROUNDED = 1.01  # sums of printed sizes
BATCH_SETTING = re.compile(r"\b(?:per_device_train_|train_micro_|micro_|train_|mini_?)?"
                           r"(?:batch(?:_size)?|bs|bsz|samples_per_gpu|imgs_per_batch)"
                           r"(?:_per_gpu|_per_device)?\W{1,6}(\d+)\b", re.I)
NO_SMALLER_BATCH = {"device_leak", "host_leak", "graph_growth", "model_reload", "fragmented", "other_tenant",
                    "dataset_on_device", "dataset_in_host_memory", "accidental_shape", "model_too_large"}
MORE_ROOM = {"larger_device", "stop_other_tenant", "raise_limit"}
PUT_ASIDE_BY_SIZE = {"device_leak", "other_tenant", "fragmented"}


def is_contradicted(report):
    return bool((report.get("account") or {}).get("contradicted"))


def flat(text):
    return re.sub(r"\s+", " ", text)


def size_printed(text):
    """'2.15 GiB' as the interval of bytes that prints so."""
    m = re.fullmatch(r"([\d,]+(?:\.(\d+))?) ?([KMGTP]?i?B)", text.strip())
    if not m:
        return None
    unit = SIZE.get(m.group(3))
    value, half = float(m.group(1).replace(",", "")), 0.5 * 10 ** -len(m.group(2) or "")
    return unit and ((value - half) * unit - 1, (value + half) * unit + 1)


def batch_faults(report, plan, elsewhere):
    batch, found = plan.get("batch") or {}, report["diagnosis"]
    current, largest, safe = batch.get("current"), batch.get("largest_that_fits"), batch.get("recommended")
    worked, below, span = batch.get("worked"), batch.get("below"), batch.get("range")
    first = found[0]["cause"] if found else None
    if not elsewhere and report["outcome"] == "memory_failure" and first == "batch_too_large" and current and largest and \
            largest >= current:
        yield f"batch {current} failed for its size, yet {largest} fits"
    if largest is not None and safe and safe > largest:
        yield f"safe {safe} above the largest {largest}"
    if largest is not None and span and not span[0] <= largest <= span[1]:
        yield f"largest {largest} outside its range {span}"
    if worked is not None and below is not None and below <= worked:
        yield f"{below} failed and {worked} worked"
    if largest is not None and worked is not None and largest < worked:
        yield f"{worked} worked, yet the largest that fits is {largest}"
    options, memory = plan.get("options") or [], plan.get("memory") or {}
    if options and largest is not None and options[0].get("largest_batch") not in (None, largest):
        yield f"{largest} fits by the headline, {options[0]['largest_batch']} by the table of options"
    failed = next((i for i in report["incidents"] if found and i["id"] == found[0].get("incident")), {})
    line = [memory.get("fixed_bytes"), memory.get("per_sample_bytes"), current]
    held = [failed.get("in_use_bytes"), failed.get("requested_bytes")]
    if not elsewhere and batch.get("is_cause") and None not in line + held and line[0] + line[1] * line[2] < 0.97 * sum(held):
        yield f"a step of {current} is estimated at {line[0] + line[1] * line[2]}, and {sum(held)} was in use and requested"
    if largest is not None and below is not None and largest >= below:
        yield f"{below} failed, yet {largest} fits"
    if safe and below is not None and safe >= below:
        yield f"{below} failed, yet {safe} is called safe"
    if span and span[0] == span[1] and span[0] not in (0, 1) and not (worked is not None and below == worked + 1):
        yield f"a range of one number, {span}, which no two tries bound"


def naming_faults(report, named):
    """What the answer loses where the user repeats a name that the log gives."""
    causes = [r["diagnosis"][0]["cause"] if r["diagnosis"] else None for r in (report, named)]
    before, after = ((r.get("plan") or {}).get("batch") or {} for r in (report, named))
    if causes[0] != causes[1]:
        yield f"the cause {causes[0]} became {causes[1]}"
    if after.get("largest_that_fits") is None:
        for key in ("largest_that_fits", "recommended", "to_try", "below", "worked"):
            if before.get(key) is not None and after.get(key) is None:
                yield f"{key} {before[key]} is lost"
    one, other = before.get("range"), after.get("range")
    if before.get("largest_that_fits") and one and other:
        if one[1] < other[0] or other[1] < one[0]:
            yield f"the range {one} became {other}"
        if other[1] - other[0] > 1.3 * (one[1] - one[0]) + 2:
            yield f"the range {one} became as wide as {other}"


def action_faults(report, plan, elsewhere):
    actions, batch = plan.get("actions") or [], plan.get("batch") or {}
    fits = [a.get("fits_probability") for a in actions]
    if fits and fits[0] is not None and fits[0] < 0.3 and any(f is not None and f > 0.8 for f in fits[1:]):
        yield f"the first remedy, {actions[0]['id']}, fits with {fits[0]}, a later one with {max(f or 0 for f in fits)}"
    found = report.get("diagnosis") or []
    likely = found and (found[0].get("probability") or 0) >= 0.5  # otherwise no cause is ruled out
    if likely and batch.get("is_cause") is False and actions and actions[0]["id"] == "reduce_batch":
        yield "the batch is not the cause, yet a smaller one is the first remedy"
    limit = (plan.get("memory") or {}).get("limit_bytes")
    now = set()
    for a in actions:
        peak, saves, chance = a.get("predicted_peak_bytes"), a.get("saves_bytes"), a.get("fits_probability")
        if saves is not None and saves < 0 and (chance or 0) > 0.9:
            yield f"{a['id']} saves less than nothing and fits"
        if peak is not None and limit and peak > limit and (chance or 0) > 0.5 and a["id"] not in MORE_ROOM:
            yield f"{a['id']} needs {peak} of {limit} and fits with {chance}"
        if peak is not None and saves is not None and a["id"] in ("reduce_batch", "accumulate", "mixed_precision",
                                                                  "checkpointing"):
            now.add(peak + saves)
        if not elsewhere:
            yield from snippet_faults(a, batch.get("current"))
    if now and max(now) - min(now) > 0.02 * max(now):
        yield f"remedies save from different peaks: {sorted(now)}"


def snippet_faults(action, current):
    if action["id"] != "reduce_batch" or not current:
        return
    for how in action.get("how") or []:
        if (how.get("code") or "").startswith("oomdoctor run --retry"):  # which lowers it
            continue
        for m in BATCH_SETTING.finditer(how.get("code") or ""):
            if int(m.group(1)) >= current:
                yield f"batch {current} failed, a snippet sets {m.group(0)!r}"


def cause_faults(report, plan, _elsewhere):
    found = report["diagnosis"]
    if not found:
        return
    first = found[0]
    chance, current = first.get("probability"), (plan.get("batch") or {}).get("current")
    largest = (plan.get("batch") or {}).get("largest_that_fits")
    for f in found:
        if f["certainty"] == "certain" and f.get("probability") is not None and f["probability"] < 0.5:
            yield f"{f['cause']} is certain with {f['probability']}"
    if chance is not None and any((f.get("probability") or 0) > chance + 1e-9 for f in found[1:]):
        yield "a later cause is more probable than the first"
    if first["cause"] == "fragmented" and first["certainty"] == "certain" and current and largest and \
            largest < current:
        yield f"certainly fragmented, yet by its own estimate {current} does not fit in one piece ({largest})"
    if (plan.get("batch") or {}).get("is_cause") and first["cause"] in NO_SMALLER_BATCH:
        yield f"the batch is the cause, and {first['cause']} is"
    for i in report["incidents"]:
        asked, roof = i.get("requested_bytes"), i.get("capacity_bytes")
        if asked and roof and asked > 1.02 * roof and i["id"] == first.get("incident") and \
                first["cause"] in PUT_ASIDE_BY_SIZE:
            yield f"{asked} asked of a device of {roof}, yet the cause is {first['cause']}"


def incident_faults(report):
    conflicts = report["conflicts"]
    for i in report["incidents"]:
        roof = i.get("capacity_bytes")
        for name in ("free_bytes", "in_use_bytes"):
            if roof and i.get(name) and i[name] > 1.01 * roof and not conflicts:
                yield f"{name} {i[name]} of {roof} and no conflict is said"
        tensor = i.get("tensor") or {}
        if tensor.get("bytes") and i.get("requested_bytes") and not conflicts and tensor.get("dtype") and \
                not tensor["bytes"] <= 1.02 * i["requested_bytes"] + 4096:
            yield f"a tensor of {tensor['bytes']} asked for as {i['requested_bytes']}"
        if i.get("requested_bytes") == 0 and report["outcome"] == "memory_failure" and not conflicts:
            yield "0 B were asked for"
    ids = {i["id"] for i in report["incidents"]}
    for i in report["incidents"]:
        if i.get("echo_of") is not None and i["echo_of"] not in ids:
            yield f"an echo of incident {i['echo_of']}, which is not there"
    for f in report["diagnosis"]:
        if f.get("incident") is not None and f["incident"] not in ids:
            yield f"a cause of incident {f['incident']}, which is not there"


def outcome_faults(report):
    fatal = [i for i in report["incidents"] if i.get("fatal") is True and i["kind"] != "soft_warning"]
    if report["outcome"] == "no_failure" and fatal:
        yield f"no failure, yet {fatal[0]['kind']} at line {fatal[0]['line']} ended the run"
    if report["outcome"] == "no_failure" and any(f["cause"] not in ("not_memory", "survived")
                                                 for f in report["diagnosis"]):
        yield "no failure, yet a cause"
    if report["outcome"] == "memory_failure" and any(f["cause"] in ("survived", "not_memory") and f is
                                                     report["diagnosis"][0] for f in report["diagnosis"]):
        yield "a memory failure whose first cause says that it is none"


def sum_faults(report):
    for allocator in report["allocators"]:
        chunks, stats = allocator.get("chunks") or {}, allocator.get("stats") or {}
        for size in allocator.get("sizes") or []:
            if size["bytes"] * size["count"] != size["total_bytes"]:
                yield f"{size['count']} of {size['bytes']} are not {size['total_bytes']}"
        if chunks.get("free_bytes") is not None and (chunks.get("largest_free_bytes") or 0) > chunks["free_bytes"]:
            yield "the largest hole is larger than all of them"
        peak, now = stats.get("max_in_use_bytes"), stats.get("in_use_bytes")
        if peak and now and now > peak and not report["conflicts"] and \
                not any(c["result"] == "fail" for c in allocator.get("checks") or []):
            yield f"{now} in use, its peak is {peak}"
    for series in report["series"]:
        for name in ("first", "last"):
            if series.get(name) is not None and not series["min"] <= series[name] <= series["max"]:
                yield f"{series['metric']}: {name} is outside of its own range"


def same(a, b):
    return abs(a - b) <= CHANCE


def number_faults(report, plan, text):
    """What the text says against the JSON, and the headline against the trace behind it."""
    batch, words = plan.get("batch") or {}, flat(text)
    for m in re.finditer(r"The largest batch that fits is about ([\d,]+) \(([\d,]+) to ([\d,]+), 90 %\)", words):
        said = [int(n.replace(",", "")) for n in m.groups()]
        if said != [batch.get("largest_that_fits"), *(batch.get("range") or [])]:
            yield f"the text says {said}, JSON {batch.get('largest_that_fits')} {batch.get('range')}"
    for m in re.finditer(r"• Largest batch: .*? = ([\d,]+)(?: \(|\s|$)", words):
        if int(m.group(1).replace(",", "")) != batch.get("largest_that_fits"):
            yield f"--why makes the largest batch {m.group(1)}, the headline {batch.get('largest_that_fits')}"
    chances = {f["code"]: f.get("probability") for f in report["diagnosis"]}
    for m in re.finditer(r"\((?:certain|likely|possible), about (\d+) %; (OD\d+)\)", words):
        if chances.get(m.group(2)) is not None and not same(int(m.group(1)) / 100, chances[m.group(2)]):
            yield f"{m.group(2)}: {m.group(1)} % in the text, {chances[m.group(2)]} in JSON"
    for m in re.finditer(r"([\d,]+) samples of ([\d,.]+ [KMGT]?i?B) each", words):
        yield from samples_faults(report, m)
    worked, below = batch.get("worked"), batch.get("below")
    if worked is not None and re.search(rf"\b{worked} failed\b", words):
        yield f"{worked} worked in JSON and failed in the text"
    if re.search(r"\b(\d+) (?:trained|is said to work).{0,40} \1 (?:failed|cannot fit)", words):
        yield "one batch works and fails in the text"
    if below is not None and re.search(rf"Safe(?: as it is)?: {below}\b", words):
        yield f"{below} failed and is called safe"


def samples_faults(report, m):
    count, each = int(m.group(1).replace(",", "")), size_printed(m.group(2))
    tensors = [i.get("tensor") or {} for i in report["incidents"]]
    sizes = [i.get("requested_bytes") or t.get("bytes") for i, t in zip(report["incidents"], tensors)]
    sizes += [c["bytes"] for t in tensors for c in t.get("candidates") or []]
    if each and not any(s and count * each[0] * 0.98 <= s <= count * each[1] * 1.02 for s in sizes):
        yield f"{m.group(0)!r} is the size of nothing that failed: {sizes}"
    shapes = [(i.get("tensor") or {}).get("shape") for i in report["incidents"]]
    shapes = [s for s in shapes if s]
    if shapes and not any(count == n or n % count == 0 for s in shapes for n in s if n and n > 0):
        yield f"{m.group(0)!r}: no shape that failed has them: {shapes}"


def floor_faults(report, plan):
    """What is at its least cannot be made smaller, and what failed alike at any batch is not its."""
    found, batch = report["diagnosis"], plan.get("batch") or {}
    first = found[0]["cause"] if found else None
    if first == "batch_too_large" and (batch.get("current") == 1 or batch.get("below") == 1):
        yield "a batch of one failed, yet the batch is the first cause"
    if first == "batch_too_large" and "same_anyway" in found[0]["signs"] and found[0].get("probability", 0) >= 0.5:
        yield "two batches asked for the same, yet the batch is likely the cause"
    for f in found:
        if f["cause"] in ("batch_too_large", "input_too_large", "model_too_large") and report["outcome"] == "survived":
            yield f"the run survived, yet {f['cause']}"


def arithmetic_faults(report):
    """What the numbers of a message prove is not contradicted by its causes."""
    found = {f["cause"]: f for f in report["diagnosis"]}
    first = report["diagnosis"][0] if report["diagnosis"] else None
    for i in report["incidents"]:
        if not first or i["id"] != first.get("incident"):
            continue
        roof, free, asked, used = (i.get(k) for k in ("capacity_bytes", "free_bytes", "requested_bytes", "in_use_bytes"))
        conflict = is_contradicted(report) or roof and any(v and v > 1.01 * roof for v in (free, used, i.get("reserved_bytes")))
        if conflict and any(f["certainty"] == "certain" for f in report["diagnosis"]):
            yield "numbers that contradict each other, and a certain cause"
        if conflict and "other_tenant" in found and "held_by_others_bytes" in str(found["other_tenant"]):
            yield "numbers that contradict each other, and arithmetic on top of them"
        if asked and roof and asked > 1.02 * roof and found.keys() & PUT_ASIDE_BY_SIZE:
            yield f"{asked} asked of {roof}, and {sorted(found.keys() & PUT_ASIDE_BY_SIZE)} are among the causes"
        own = i.get("reserved_bytes") or used  # in a container a process lists itself among the others
        others = sum(o["bytes"] for o in i.get("others") or [] if o.get("bytes") and own and o["bytes"] < own)
        if asked and free is not None and not conflict and free < asked <= free + others and others and \
                "other_tenant" not in found and roof and asked <= roof:
            yield "named processes hold what was lacking, and nothing is said of them"


def number_in_advice_faults(report, plan, data):
    """A number that stands in a snippet is of this log, computed from it, or of the snippet's own program."""
    for a in plan.get("actions") or []:
        for how in a.get("how") or []:
            edit = how.get("edit") or {}
            if edit and edit.get("from") is not None and edit.get("from") == edit.get("to"):
                yield f"{a['id']}: an edit that changes nothing, {edit}"
            for name, value in SEEDS:
                if name in (how.get("code") or "") and re.search(rf"\b{value}\b", how["code"]) and name not in data:
                    yield f"{a['id']}: the number of another program, {name} {value}"


UNFILLED = re.compile(r"\(\s*,|\{\}| [,;](?=\s|$)|\b(?:Set|Lower|Raise) [^.]{0,60}\bto ?(?:[.,]|$)")
NOTHING = re.compile(r"0+(?:\.0+)?[A-Za-z]*")
MAY_BE_NONE = re.compile(r"worker|prefetch|cache|loader|cpu|swap|layers|thread|seed|preload", re.I)


def empty_faults(plan):
    """What a remedy sets is there: no slot is left empty, no value is nothing or what is set already."""
    for a in plan.get("actions") or []:
        for how in a.get("how") or []:
            text, edit = how.get("text") or "", how.get("edit") or {}
            if UNFILLED.search(text):
                yield f"{a['id']}: a slot is empty in {text!r}"
            m = re.search(r"(?:Set|Lower|Raise|Reduce) (\S+)(?: from (\S+))? to ([^\s,]+?)[.,]?(?:\s|$)", text)
            if m and NOTHING.fullmatch(m.group(3)) and not MAY_BE_NONE.search(m.group(1)):
                yield f"{a['id']}: a setting is made nothing, {m.group(0)!r}"
            if m and m.group(2) and m.group(2) == m.group(3):
                yield f"{a['id']}: a setting stays what it is, {m.group(0)!r}"


SEEDS = (("episodes", 10), ("triplet", 8), ("frame_cache", 200), ("MemoryMax", 5), ("--mem=", 64))


HEADS = ("Sizes in use", "What fits", "Do this", "Where the numbers are from", "Next: ")
ABSOLUTE = re.compile(r"[Nn]othing complained of memory|[Nn]othing else failed|[Nn]othing else went wrong")


def account_faults(report):
    """What the account holds is no more than its limit; and the sums made from it are its own."""
    account, host = report.get("account") or {}, report.get("host") or {}
    if not account or account["contradicted"]:
        return
    failed = next((i for i in report["incidents"] if i["id"] == account["incident"]), {})
    own, held = account["own"] or {}, account["holdings"]
    roof, mine = failed.get("capacity_bytes"), own.get("bytes") or 0
    parts = sum(p["bytes"] for p in account["parts"])
    whole, twice = account["limit_bytes"], account["shared_bytes"] or 0
    if parts and whole and (roof or account["scope"] != "device") and parts - twice != whole:
        yield f"the parts of the account make {parts}, less {twice} counted twice, of a limit of {whole}"
    if account["scope"] == "device" and roof and twice > CHANCE * roof and not (failed.get("others") or []):
        yield f"the parts of the account make {parts} of a device of {roof}"
    alike = [h for h in held if h["kind"] == "processes" and h["name"] == own.get("name")]
    kin = mine + sum((h["bytes"] or 0) + (h["swap_bytes"] or 0) for h in alike) + (own.get("swap_bytes") or 0)
    total, each = host.get("total_bytes"), host.get("each_bytes")
    if alike and total and (host.get("each_basis") or "").startswith("the kernel's table") and total > ROUNDED * kin:
        yield f"{host['workers']} workers hold {total} of the {kin} that all of their name hold"
    if alike and each and each > ROUNDED * kin:
        yield f"one worker holds {each} of the {kin} that all of its name hold"
    others = next((f["numbers"].get("held_by_others_bytes") for f in report["diagnosis"] if f["cause"] == "other_tenant"), None)
    if account["scope"] == "device" and roof and others and mine + others > ROUNDED * roof:
        yield f"others hold {others} beside {mine} of a device of {roof}"


def contradicted_faults(report, plan):
    """Numbers that contradict each other are said to, and nothing is derived from them."""
    account, batch = report["account"], plan.get("batch") or {}
    if not report["conflicts"]:
        yield "the account is contradicted, and no contradiction is said"
    if any(f["certainty"] == "certain" for f in report["diagnosis"]):
        yield "a certain cause of numbers that contradict each other"
    if batch.get("largest_that_fits"): # 0: batch size 1 failed
        yield f"batch {batch['largest_that_fits']} fits by numbers that contradict each other"
    if account["around"] or account["shared_bytes"] or any(p["kind"] in ("rest", "heap") for p in account["parts"]):
        yield "the account is divided by numbers that contradict each other"


def nested_faults(report):
    """Each memory is within the next."""
    account = report.get("account") or {}
    sizes = [account.get("limit_bytes") or 0] + [outer["bytes"] for outer in account.get("around") or []]
    if sizes != sorted(sizes):
        yield f"memories within each other, each smaller than what it holds: {sizes}"


def table_faults(report, text):
    """The table of holders has the rows of the account, and its column of bytes adds up: to its total, and with what is
    beside it to that of each larger memory around it."""
    account = report.get("account") or {}
    table = re.search(r"^Who held the memory .*\n((?:  .*\n)+)", text, re.M)
    if not table or account.get("contradicted"):
        return
    rows = [(m.group(1), int(m.group(2).replace(",", ""))) for m in re.finditer(r"^  (\S.*?)  .*? ([\d,]+)$", table.group(1), re.M)]
    twice = sum(n for what, n in rows if what == "less what is counted twice")
    rows = [n for what, n in rows if what not in ("requested", "less what is counted twice")]
    parts, around = [p["bytes"] for p in account["parts"]], account.get("around") or []
    held, totals = rows[:len(parts)], rows[len(parts):]
    if held != parts:
        yield f"the table of holders has {held}, JSON {parts}"
    sums = [sum(held) - twice]
    for beside in totals[1::2]:
        sums.append(sums[-1] + beside)
    if sums != totals[::2]:
        yield f"the rows of the table of holders add up to {sums}, not to {totals[::2]}"
    if totals[2::2] != [a["bytes"] for a in around]:
        yield f"the memories around it are {totals[2::2]}, in JSON {[a['bytes'] for a in around]}"


def evidence_faults(report):
    """What is said as a fact is one: of an undecided end, of a limit, of a warning that was read."""
    found = report["diagnosis"]
    incidents = {i["id"]: i for i in report["incidents"]}
    for f in found:
        said = f.get("summary") or ""
        if report["outcome"] == "unknown" and re.search(r"(?:[Hh]ost m|M)emory ran out", said) and \
                not said.startswith("If "):
            yield f"it is not known why it was killed, yet {said!r}"
        if "had warned" in said and not any("emateriali" in e["text"] for e in f.get("evidence") or []):
            yield f"a warning without its line: {said!r}"
        i = incidents.get(f.get("incident")) or {}
        asked, limit = i.get("requested_bytes"), i.get("limit_bytes")
        if f["cause"] == "capped" and f["certainty"] == "certain" and i.get("kind") == "device_alloc_failed" and \
                not report["allocators"] and asked and limit and asked > 1.02 * limit and i.get("free_bytes"):
            yield f"certainly the limit, yet {asked} in one piece are more than all of its {limit}"


def variable_faults(plan):
    """A variable of the environment is set by one remedy; a dictionary's quoted name is no line to paste; a
    cause that a runtime's own limit is gets no setting of that runtime beside it."""
    firsts = [a["how"][0] for a in plan.get("actions") or [] if a.get("how")]
    names = [m.group(1) for how in firsts for m in re.finditer(r"^export (\w+)=", how.get("code") or "", re.M)]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"{name} is set by several remedies"
    for how in firsts:
        if re.match(r"""\w+['"]\s*[:=]""", how.get("code") or ""):
            yield f"{how['code']!r} begins within quotes"


OF_THE_DEVICE = {"other_tenant", "driver_refused", "device_leak", "dataset_on_device"}
IN_PIECES = re.compile(r"[Dd]ue to fragmentation|largest contiguous (?:free|region)")


def side_faults(report, plan):
    """RAM is not blamed on the device, a limit of nothing is none, what a message itself says of pieces is
    heard, and a remedy does not belong to another cause than the first."""
    found, first = report["diagnosis"], (report["diagnosis"] or [None])[0]
    actions = plan.get("actions") or []
    for i in report["incidents"]:
        for name in ("capacity_bytes", "limit_bytes"):
            if i.get(name) == 0:
                yield f"{name} of incident {i['id']} is 0, not unknown"
        if not first or i["id"] != first.get("incident"):
            continue
        if i["kind"].startswith("host_") and (first["cause"] in OF_THE_DEVICE or "the device had" in first["summary"]):
            yield f"RAM ran short, yet {first['cause']}: {first['summary']}"
        said = " ".join(e["text"] for e in i.get("evidence") or [])
        asked, free = i.get("requested_bytes"), i.get("free_bytes")
        if IN_PIECES.search(said) and asked and free and asked <= free and \
                not any(f["cause"] in ("fragmented", "runtime_limit") for f in found):
            yield "the message says that free memory is in pieces, and no cause does"
    if first and first["cause"] == "model_too_large" and actions and actions[0]["id"] == "restore_on_host":
        yield "the model alone is too large, yet loading it elsewhere is the first remedy"


RAN_OUT = re.compile(r"\bout of (?:\w+ )?(?:memory|RAM|VRAM)\b|\bOOM[- ]?[Kk]ill(?:ed|s)\b|\bmemory is full\b")
NOT_STATED = re.compile(r"\b(?:if|not|never|would|could|might|may|should|can|somebody|someone|others|they|avoid|you)\b|n't|\?", re.I)


def headline_faults(report, text):
    """No failure is denied that a quoted line states. Free memory of the size of the request and more is said with
    the reason that it did not serve."""
    quoted = re.search(r"\n(?:In the log:|  (?=line \d+: )) ?(.*?)(?:\n\n|\Z)", text, re.S)
    for line in re.split(r"line \d+: ", flat(quoted.group(1))) if quoted and text.startswith("No memory failure") else ():
        if RAN_OUT.search(line) and re.search(r"\b(?:I|my|we|our)\b", line) and not NOT_STATED.search(line):
            yield f"no failure was found, and yet a line is quoted that states one: {line!r}"
    said = re.match(r"[^:]* ran out of memory: \S.*? asked for ([\d.]+ \w+), (?:although )?([\d.]+ \w+) was free([^.]|\.\d)*\.",
                    flat(text))
    if not said or report.get("conflicts"):  # of numbers that contradict each other nothing is derived
        return
    asked, free = size_printed(said.group(1)), size_printed(said.group(2))
    if asked and free and free[0] > asked[1] and "no block is larger" not in said.group(0):
        yield f"no reason is given why what is free does not serve: {said.group(0)!r}"


def text_faults(report, text):
    first = report["diagnosis"][0]["cause"] if report["diagnosis"] else None
    if first in LIMITS and text.startswith("Out of RAM"):
        yield f"{first} ended it, yet the headline says that RAM is out"
    lines = text.splitlines()
    for head in HEADS:
        told = [line for line in lines if line.startswith(head)]
        if len(told) != len(set(told)) and len(told) > max(1, len(report["allocators"])):
            yield f"{head!r} stands there twice"
    if ABSOLUTE.search(flat(text)):
        yield "it says what did not happen, not what was read"
    for m in re.finditer(r"\bnan\b|\binf\b|%\w*\$|\(null\)|-0\.00\b", text):
        yield f"{m.group(0)!r} is printed"
    if re.search(r"\b0 B (?:was|were) (?:asked|requested)", flat(text)):
        yield "0 B were asked for"
    if re.search(r"No batch fits", flat(text)) and re.search(r"[Pp]ossibly the batch is|[Pp]robably the batch is", flat(text)):
        yield "no batch fits, yet the batch is blamed"
    if re.search(r"is not what fills the device\. No(?:t even)? batch", flat(text)):
        yield "the batch is not what fills the device, and no batch fits"
    if re.search(r"No failure", text.split("\n", 1)[0]) and report["outcome"] == "memory_failure":
        yield "a memory failure under 'No failure'"
    for m in re.finditer(r"Next: oomdoctor analyze -v (\S+)", text):
        if m.group(1) in ("python", "python3", "bash", "sh", "./train.py"):
            yield f"the next step analyzes a program, {m.group(1)}"
    for m in re.finditer(r"[Ss]aid (\d+) times", flat(text)):
        if not any(i["count"] == int(m.group(1)) for i in report["incidents"]):
            yield f"{m.group(0)!r}, no incident counts so"


LIMITS = {"runtime_limit", "other_limit"}
STRAW = 1 << 20  # no machine lacks so little
SMALLER_OR_FEWER = {"batch_too_large", "input_too_large", "model_too_large"}
SURELY = re.compile(r"\. (?:Most likely|Probably|Possibly|The log proves that) ")
AMOUNTS = ("requested_bytes", "capacity_bytes", "limit_bytes", "in_use_bytes", "reserved_bytes", "free_bytes")
FAR = 4  # so much more than the request was free that no rounding and no segment explains it


def claim_faults(report):
    """What a cause asserts of amounts holds of the amounts that are printed."""
    found = report["diagnosis"]
    incidents = {i["id"]: i for i in report["incidents"]}
    for f in found:
        i = incidents.get(f.get("incident")) or {}
        roof, free, asked, limit, used = (i.get(k) for k in ("capacity_bytes", "free_bytes", "requested_bytes",
                                                             "limit_bytes", "in_use_bytes"))
        own = i.get("reserved_bytes") or used
        if f["cause"] in SMALLER_OR_FEWER and f is found[0] and asked and free and not limit and \
                not report["allocators"] and i["kind"] == "device_alloc_failed" and \
                free > FAR * max(asked + (2 << 20), 20 << 20) and not IN_PIECES.search(str(i.get("evidence"))) and \
                not (roof and max(free, own or 0) > roof):
            yield f"{asked} asked, {free} free, and {f['cause']} is blamed"
        held = (f.get("numbers") or {}).get("held_by_others_bytes")
        if f["cause"] == "other_tenant" and held and own and roof and held + own > 1.02 * roof:
            yield f"others hold {held}, this run {own}, and the device has {roof}"
        if f["cause"] == "runtime_limit" and limit and used and asked and used + asked < 0.98 * limit and \
                ((i.get("process") or {}).get("rss_bytes") or 0) < limit and "by its defaults" not in f["summary"]:
            yield f"{used} in use and {asked} asked, yet the limit of {limit} is said to be reached"
    for s in report["series"]:
        low, high = s.get("slope_range") or (None, None)
        if s["trend"] == "leak" and low is not None and low <= 0 <= high:
            yield f"{s['metric']} is called a leak, and its slope may be 0: {low} to {high}"


def named_faults(report, plan, screen):
    """The first screen names a cause only where one is likely, and then headline and first remedy have the
    same; it says that the log shows nothing only where no number is printed."""
    found, head = report["diagnosis"], flat(screen.split("\n\n", 1)[0])
    if report["outcome"] != "memory_failure":
        return
    first = found[0] if found else None
    likely = first and (first["certainty"] == "certain" or first["probability"] >= 0.5)
    if not likely and SURELY.search(head):
        yield f"no cause is likely, yet the headline names one: {head[-160:]!r}"
    printed = [k for i in report["incidents"] if first and i["id"] == first.get("incident") for k in AMOUNTS if i.get(k)]
    if "The log does not show why" in head and printed:
        yield f"the log is said not to show why, and it prints {printed}"
    for m in re.finditer(r"(?:asked for|limit of) ([\d.,]*\d)(?![\d.,]*\d| ?(?:[KMGTPE]?i?B|bytes)\b)", head):
        yield f"a number without a unit in the headline: {m.group(0)!r}"
    for a in plan.get("actions") or []:
        if a["id"] == "reduce_batch" and (plan.get("batch") or {}).get("current") == 1:
            yield "a smaller batch than 1 is a remedy"


def bound_faults(report, plan, screen):
    """A limit that RAM does not change is neither called RAM nor raised by more of it; what the log states is not
    hedged, and has its reason."""
    found, head = report["diagnosis"], flat((screen or "").split("\n\n", 1)[0])
    first, ids = (found or [None])[0], [a["id"] for a in plan.get("actions") or []]
    if not first:
        return
    if first["cause"] == "other_limit" and first["certainty"] == "certain":
        if "more_ram" in ids:
            yield "a limit other than RAM is certain, yet more RAM is a remedy"
        if screen and re.search(r"Most likely|Probably|Possibly|does not show why", head):
            yield f"the limit is certain, yet the headline hedges: {head[-120:]!r}"
        if screen and "Why: " not in screen:
            yield "the limit is certain, and no reason is given"
    for i in report["incidents"]:
        asked = i.get("requested_bytes")
        if i["id"] == first.get("incident") and i["kind"] == "host_alloc_failed" and asked and asked <= STRAW and \
                not i.get("capacity_bytes") and not (i.get("process") or {}).get("rss_bytes") and "more_ram" in ids:
            yield f"{asked} bytes were refused, and a machine with more RAM is a remedy"


def rows_of(folder, first):
    """(file, name of a row, its lines) of the rules in that folder; a row begins with `first`."""
    for name in sorted(os.listdir(os.path.join(TOP, "rules", folder))):
        with open(os.path.join(TOP, "rules", folder, name), encoding="utf-8") as file:
            for row in re.split(rf"^  - (?={first}: )", file.read(), flags=re.M)[1:]:
                yield name.removesuffix(".yaml"), re.match(rf"{first}: (\S+)", row).group(1), row


FOR_ANY_CAUSE = {(cause, remedy) for cause, remedy, row in rows_of("advice", "id")
                 if cause == "settings" or re.search(r"^    helps: |\bsaid\(", row, re.M)}
SAME = {(cause, remedy): (m.group(1), remedy) for cause, remedy, row in rows_of("advice", "id")
        for m in re.finditer(r"^    same: (\S+)", row, re.M)}
TOLD = {(cause, sign) for cause, sign, row in rows_of("causes", "sign") if re.search(r"^    when: .*\btold\(", row, re.M)}


def suspect_faults(report, plan):
    """A cause of less than 50 % brings no remedy that is for it alone, unless people report what it is suspected by."""
    chance = {f["cause"]: f["probability"] for f in report["diagnosis"]}
    told = {f["cause"] for f in report["diagnosis"] if any((f["cause"], sign) in TOLD for sign in f["signs"])}
    for a in plan.get("actions") or []:
        row = (a["cause"], a["id"])
        rows = {row, SAME.get(row), ("settings", a["id"])}
        if chance.get(a["cause"], 1) < 0.5 and a["cause"] not in told and not a["recommended_by"] and not rows & FOR_ANY_CAUSE:
            yield f"{a['cause']} has {chance[a['cause']]:.2f}, yet {a['id']}, which is for it alone, is a remedy"


def twice_faults(screen):
    """Nothing is stated twice: a clause of Why that the headline states, a line of the log that is quoted again."""
    for kind, words in repeated.faults(screen):
        if kind in ("restated", "quote", "line", "code"):
            yield f"{kind}, twice: {words!r}"


QUOTED = re.compile(r"(?P<said>.+?) \((?:line |\S+:)(?P<line>\d+)\)\s*")
BOUND = re.compile(r"\b(?:under|below|less than|more than|at least) \d+(?:\.\d+)? ?[KMGT]i?B\b(?! of)", re.I)
OTHERS = re.compile(r"\b(?:someone|somebody|others|another machine|recommend\w*|suggest\w*)\b|\?$", re.I)


def quoted_faults(screen, data):
    """What a person is quoted with is a whole part of the line that is named, without a bound, and not of another run."""
    lines = data.splitlines()
    for title, rows in repeated.sections(screen):
        for m in QUOTED.finditer(" ".join(" ".join(rows).split())) if title == "The text says" else ():
            n = int(m.group("line"))
            line = " ".join(lines[n - 1].split()) if n <= len(lines) else ""
            for said in m.group("said").split("; "):
                if said not in line:
                    yield f"quoted of line {n}, and not in it: {said!r}"
                elif re.search(r"\w$", line.split(said)[0]) or re.match(r"\w", line.split(said, 1)[1]):
                    yield f"a part of a word is quoted: {said!r}"
                elif BOUND.search(said) or OTHERS.search(said):
                    yield f"a bound, or what others do, is quoted as of the run: {said!r}"


def judged(report, text):
    """What holds whatever the numbers are: of a log whose numbers a machine changed."""
    plan = report.get("plan") or {}
    for check in (incident_faults, outcome_faults, evidence_faults, account_faults, nested_faults, arithmetic_faults):
        yield from check(report)
    yield from contradicted_faults(report, plan) if is_contradicted(report) else claim_faults(report)
    yield from table_faults(report, text)
    yield from headline_faults(report, text)


def faults(report, text=None, elsewhere=False, data="", screen=None):
    plan = report.get("plan") or {}
    for check in (batch_faults, action_faults, cause_faults):
        yield from check(report, plan, elsewhere)
    if not elsewhere:
        yield from floor_faults(report, plan)
    yield from arithmetic_faults(report)
    yield from side_faults(report, plan)
    yield from number_in_advice_faults(report, plan, data)
    yield from empty_faults(plan)
    yield from variable_faults(plan)
    yield from suspect_faults(report, plan)
    for check in (incident_faults, outcome_faults, sum_faults, evidence_faults, account_faults, nested_faults):
        yield from check(report)
    yield from contradicted_faults(report, plan) if is_contradicted(report) else claim_faults(report)
    yield from bound_faults(report, plan, screen)
    if screen is not None:
        yield from named_faults(report, plan, screen)
        yield from twice_faults(screen)
        yield from quoted_faults(screen, data) if data else ()
    if text is not None:
        yield from number_faults(report, plan, text)
        yield from table_faults(report, text)
        yield from text_faults(report, text)
        yield from headline_faults(report, text)
