"""The part of a JSON report that a golden case keeps in expected.json, written so that a difference
can be reviewed: nothing that is null, one line for each thing."""

import json

WIDTH = 110


def scalars(thing, *left_out):
    """The fields of an object that are numbers, words or ranges."""
    return {k: v for k, v in (thing or {}).items()
            if k not in left_out and not isinstance(v, dict) and (not isinstance(v, list) or k.endswith("_range"))}


def lines_of(evidence):
    return [f"{e['source']}:{e['line']}" if e.get("source") is not None else e.get("line") for e in evidence or []]


def incident(i):
    kept = scalars(i)
    for name in ("tensor", "process", "others", "frame"):
        kept[name] = i.get(name)
    kept["evidence"] = lines_of(i.get("evidence"))
    return kept


def allocator(a):
    kept = scalars(a, "line_first", "line_last")
    kept["stats"], kept["chunks"] = a.get("stats"), a.get("chunks")
    kept["sizes"] = [f"{s['count']} x {s['bytes']}" for s in (a.get("sizes") or [])[:3]]
    kept["failed_checks"] = [c["id"] for c in a.get("checks") or [] if c["result"] == "fail"]
    return kept


def remedy(action):
    """A remedy is its id, its title and the value it recommends."""
    return " | ".join([action["id"], action["title"]] + [f"{k}={v}" for k, v in (action.get("change") or {}).items()])


def settings(found):
    """A framework that the log does not state is said with the software."""
    stated = any(s["name"] == "framework" for s in found.get("said") or [])
    return scalars({k: v for k, v in found.items() if k != "framework" or stated})


def report(r):
    plan = r.get("plan") or {}
    return {
        "outcome": r["outcome"],
        "outcome_at": r.get("outcome_at"),
        "inputs": [scalars(i, "name", "digest", "bytes") for i in r["inputs"]],
        "incidents": [incident(i) for i in r["incidents"]],
        "causes": [{"cause": f["cause"], "certainty": f["certainty"], "incident": f["incident"]} for f in r["diagnosis"]],
        "batch": scalars(plan.get("batch"), "basis", "narrow"),
        "precision": plan.get("precision"),
        "workers": plan.get("workers"),
        "memory": scalars(plan.get("memory"), "basis"),
        "remedies": [remedy(a) for a in plan.get("actions") or []],
        "does_not_help": [d["title"] for d in plan.get("does_not_help") or []],
        "series": [scalars(s, "unit") | {"exhausts_at": s.get("exhausts_at")} for s in r["series"]],
        "allocators": [allocator(a) for a in r["allocators"]],
        "attribution": scalars(r.get("attribution"), "basis"),
        "models": [scalars(m) for m in r["models"]],
        "settings": settings(r["settings"]),
        "software": [" ".join(w for w in (s["name"], s.get("version")) if w) for s in r.get("software") or []],
        "phases": r.get("phases"),
        "stated": r.get("stated"),
        "host": r.get("host"),
        "lost": scalars(r.get("lost"), "seconds_estimated"),
        "decide": [d["command"] for d in r.get("decide") or []],
        "conflicts": [{"code": c["code"], "line": c["line"]} for c in r["conflicts"]],
    }


def plan(p):
    kept = {k: v for k, v in p.items() if k not in ("layer_table", "why", "assumptions", "version", "schema")}
    kept["layers"] = len(p.get("layer_table") or [])
    kept["options"] = [scalars(o, "cost") | (o.get("change") or {}) for o in p.get("options") or []]
    kept["devices"] = [d["name"] for d in p.get("devices") or []]
    return kept


KINDS = {"report": report, "plan": plan}


def compact(value):
    """Without what says nothing, and probabilities with three digits. Zero and false are statements."""
    if isinstance(value, dict):
        value = {k: compact(v) for k, v in value.items()}
        return {k: v for k, v in value.items() if v not in (None, [], {}, "")}
    if isinstance(value, list):
        return [compact(v) for v in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value


def projected(document, schema):
    """The part of a document that is compared; all of it where it is of no kind that has a projection."""
    if not isinstance(document, dict):
        return document
    kind = KINDS.get(schema)
    return compact(kind(document) if kind else {k: v for k, v in document.items() if k not in ("version", "schema")})


def short(value):
    return json.dumps(value, ensure_ascii=False)


def filled(pieces, indent):
    """One piece after the other, as many on a line as fit."""
    lines, line = [], ""
    for piece in pieces:
        if line and ("\n" in piece or "\n" in line or len(indent) + len(line) + 2 + len(piece) > WIDTH):
            lines.append(indent + line)
            line = ""
        line += (", " if line else "") + piece
    return ",\n".join(lines + [indent + line])


def written(value, indent=""):
    """JSON in few lines: a field of the report, and a thing in a list, has a line of its own; the fields of
    a thing share lines."""
    text = short(value)
    if not isinstance(value, (dict, list)) or not value or (indent and len(indent) + len(text) <= WIDTH):
        return text
    deeper = indent + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(deeper + written(v, deeper) for v in value) + "\n" + indent + "]"
    pieces = [f"{short(k)}: {written(v, deeper)}" for k, v in value.items()]
    body = filled(pieces, deeper) if indent else ",\n".join(deeper + p for p in pieces)
    return "{\n" + body + "\n" + indent + "}"
