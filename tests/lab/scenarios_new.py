"""Further programs, half of them open. All were written, with their causes, before any of them was run."""

from scenarios import GROUP, HOST, RECORDS, RUNTIME
from scenarios_more import BIG, KEPT, LEAK_GROUP, TABLE, TABLE_HOST, ends, held, row

SURVIVED = ("survived",)
ROWS = {name: {"rows": "*0.2"} for name in ("less_at_once", "use_part", "stream_dataset", "smaller_pieces", "smaller_input", "fix_shape")}
PARTS = {name: {"part": 100} for name in ("less_at_once", "stream_dataset", "memory_map", "smaller_pieces", "use_part")}


def survives(name, needs, command, blind=False, **knobs):
    """It catches the refusal, and ends well."""
    return row(name, needs, command, SURVIVED, knobs, outcome=SURVIVED, held=blind)


AGAIN = [
    survives("lua-retries", "lua", "lua5.4 again.lua {batch} 5", batch=600, address=400),
    survives("r-retries", "R", "Rscript again.R {batch} 5", batch=900, address=600),
    survives("pascal-retries", "pascal", "./load_pas {batch} {batches} retry", batch=9000, batches=5, address=300),
    survives("octave-retries", "octave", "octave --no-gui -q again.m {batch} 5", blind=True, batch=400, address=2500),
    survives("ocaml-retries", "ocaml", "ocaml again.ml {batch} 5", blind=True, batch=900, address=500),
]

LANGUAGES = [
    row("pascal-batch", "pascal", "./load_pas " + RECORDS, HOST, {**BIG, "address": 300}),
    held("pascal-kept", "pascal", "./load_pas " + RECORDS, LEAK_GROUP, {**KEPT, "group": 120}),
    ends("pascal-range", "pascal", "./load_pas 4 3 wrong", blind=True),
    row("elixir-kept", "elixir", "elixir load.exs " + RECORDS, LEAK_GROUP, {**KEPT, "batch": 24, "group": 220}),
    held("elixir-batch", "elixir", "elixir load.exs " + RECORDS, GROUP, {**BIG, "group": 420}),
    ends("elixir-key", "elixir", "elixir load.exs 4 3 wrong"),
    row("prolog-batch", "prolog", "swipl --stack-limit={heap}m load.prolog " + RECORDS, RUNTIME, {**BIG, "batch": 400, "heap": 60}),
    ends("prolog-goal", "prolog", "swipl -g 'X is rows+1' -t halt"),
    ends("zsh-missing", "zsh", "zsh -c 'resample --all'"),
    held("gforth-room", "gforth", "gforth -m {heap}M room.fs -e '{batch} 400 fill-it bye'", RUNTIME + ("host_leak",),
         {"batch": 20000, "heap": 20}),
]

TOOLS = [
    row("xmllint-whole", "xmllint", "xmllint --noout {how} big.xml", ("host_exhausted", "dataset_in_host_memory", "input_too_large"),
        {"how": "", "address": 250, "setup": "seq 900000 | awk 'BEGIN {{ print \"<a>\" }} {{ print \"<b>\" $1 \"</b>\" }} END {{ print \"</a>\" }}' > big.xml"},
        {name: {"how": "--stream"} for name in ("less_at_once", "stream_dataset", "smaller_pieces", "memory_map", "low_memory_mode_host")}),
]

LIBRARIES = [
    row("catboost-rows", "catboost", "python3 boost.py catboost --rows {rows} --features 20", TABLE_HOST,
        {"rows": 5000000, "address": 1700}, ROWS),
    held("catboost-group", "catboost", "python3 boost.py catboost --rows {rows}", TABLE, {"rows": 2000000, "group": 500}, ROWS),
    row("scipy-dense", "scipy", "python3 sparse.py --rows {rows}", ("accidental_shape", "host_exhausted", "input_too_large"),
        {"rows": 20000, "address": 1500}, ROWS),
    held("scipy-solve", "scipy", "python3 sparse.py --task solve --rows {rows}", ("host_exhausted", "input_too_large", "accidental_shape"),
         {"rows": 9000, "address": 1300}, ROWS),
    row("matplotlib-figures", "matplotlib", "python3 figures.py --epochs {batches} {keep}", LEAK_GROUP,
        {"batches": 60, "keep": "", "group": 400}, {name: {"keep": "--close"} for name in
                                                    ("fix_leak", "drop_results", "bound_cache", "narrow_scopes", "process_each")}),
    held("networkx-pairs", "networkx", "python3 graph.py --nodes {rows}", ("host_leak", "host_exhausted", "group_limit"),
         {"rows": 4000, "group": 300}, {**ROWS, "fix_leak": {"rows": "*0.2"}}),
    row("h5py-whole", "h5py", "python3 arrays.py --rows {rows} --part {part}", TABLE_HOST, {"rows": 60000, "part": 0, "address": 1000,
        "setup": "python3 arrays.py --make --rows {rows}"}, PARTS),
    held("h5py-group", "h5py", "python3 arrays.py --rows {rows} --part {part}", TABLE, {"rows": 30000, "part": 0, "group": 250,
         "setup": "python3 arrays.py --make --rows {rows}"}, PARTS),
]

NEW_SCENARIOS = AGAIN + LANGUAGES + TOOLS + LIBRARIES
