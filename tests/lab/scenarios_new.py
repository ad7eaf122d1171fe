"""Further programs, half of them open. All were written, with their causes, before any of them was run."""

from scenarios import GROUP, HOST, LOAD, RECORDS, RUNTIME
from scenarios_more import BIG, ENDED, KEPT, LEAK_GROUP, TABLE, TABLE_HOST, ends, held, row

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
    held("elixir-batch", "elixir", "elixir load.exs " + RECORDS, GROUP, {**BIG, "group": 650}),
    ends("elixir-key", "elixir", "elixir load.exs 4 3 wrong"),
    row("prolog-batch", "prolog", "swipl --stack-limit={heap}m load.prolog " + RECORDS, RUNTIME, {**BIG, "batch": 400, "heap": 60}),
    ends("prolog-goal", "prolog", "swipl -g 'X is rows+1' -t halt"),
    ends("zsh-missing", "zsh", "zsh -c 'resample --all'"),
    held("gforth-room", "gforth", "gforth -m {heap}M room.fs -e '{batch} 400 fill-it bye'", RUNTIME + ("host_leak",),
         {"batch": 20000, "heap": 40}),
]

TOOLS = [
    row("shuf-lines", "coreutils", "seq {rows} | shuf -o shuffled.txt", ("host_exhausted",), {"rows": 12000000, "address": 200},
        {"less_at_once": {"rows": "*0.1"}, "use_part": {"rows": "*0.1"}}),
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
    row("numpy-factors", "numpy", "python3 factors.py --rows {rows} {thin}", ("accidental_shape", "host_exhausted"),
        {"rows": 10000, "thin": "", "address": 700}, {"thin_factors": {"thin": "--thin"}, "fix_shape": {"thin": "--thin"}}),
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

# Open siblings of held ones: the same programs with other sizes and ends, so that what fails there can be looked at.
SIBLINGS = [
    row("erlang-heap-2", "erlang", "escript load.escript " + RECORDS + " {heap}", RUNTIME, {**LOAD, "batch": 400, "batches": 4, "heap": 90}),
    ends("erlang-timeout-2", "erlang", "timeout -s INT 3 escript load.escript 90 90000 drop", outcome=ENDED),
    ends("erlang-badarith-2", "erlang", "escript load.escript 4 two drop"),
    survives("fortran-retries-2", "fortran", "./load_f90 {batch} {batches} retry", batch=20000, batches=4, address=500),
    ends("fortran-bounds-2", "fortran", "./load_f90 8 5 beyond"),
    survives("ocaml-retries-2", "ocaml", "ocaml again.ml {batch} 4", batch=1500, address=700),
    survives("octave-retries-2", "octave", "octave --no-gui -q again.m {batch} 3", batch=600, address=2600),
    survives("ruby-retries-2", "ruby", "ruby retry.rb {batch} 5", batch=12000, address=500),
    survives("c++-survives-2", "c++", "./ways_cc survive {batch}", batch=3000, address=700),
    ends("c++-abort-2", "c++", "./ways_cc abort 2"),
    row("memcached-full-2", "memcached", "./cacheit {limit} {rows}", ("runtime_limit", "host_leak"), {"limit": 24, "rows": 80},
        {"raise_named": {"limit": "*8"}, "raise_limit": {"limit": "*8"}, "less_at_once": {"rows": 5}}),
    ends("killed-by-job-2", "perl", "(sleep 1; kill -KILL $BASHPID) & perl -e 'kill KILL => $$ if print \"working\\n\"'", outcome=ENDED),
    ends("killed-by-term-2", "numpy", "(sleep 4; pkill -P $$ python3) & python3 train.py --batch-size 32 --steps 12 --sleep 1"),
    survives("node-survives-2", "node", "node ways.js survive {batch}", batch=9000, address=3200),
    row("postgres-group-2", "postgresql", "./query \"SELECT length(array_agg(i || repeat('z', 400))::text) FROM "
        "generate_series(1, {rows}) i\" \"SET work_mem = '256MB'\"", ("group_limit", "host_exhausted"),
        {"rows": 300000, "group": 420}, {"less_at_once": {"rows": "*0.1"}}),
    row("graphviz-graph-2", "graphviz", "seq {rows} | awk 'BEGIN {{ print \"digraph {{\" }} {{ print $1 \"->\" int($1 / 3) }} "
        "END {{ print \"}}\" }}' | dot -Tcanon -o graph.txt", GROUP + ("host_exhausted",), {"rows": 30000, "group": 60},
        {name: {"rows": "*0.1"} for name in ("less_at_once", "use_part", "smaller_input", "stream_dataset")}),
    row("clang-group-2", "clang", "make many.o ROWS={rows} CXX=clang++", ("group_limit", "host_exhausted"),
        {"rows": 4000, "group": 170, "setup": "rm -f many.*; make many.cc ROWS={rows}"}),
    row("git-add-2", "git", "git init -q repo; cp big repo; cd repo; git {how} add big", ("host_exhausted",),
        {"how": "", "address": 150, "setup": "rm -rf repo; head -c 180000000 /dev/urandom > big"},
        {"low_memory_mode_host": {"how": "-c core.bigFileThreshold=10m"}}),
    row("go-map-2", "go", "./ways_go map {rows}", ("host_leak", "group_limit", "host_exhausted"), {"rows": 3000000, "group": 180},
        {"less_at_once": {"rows": "*0.1"}, "fix_leak": {"rows": "*0.1"}}),
    row("duckdb-group-2", "duckdb", "python3 engine.py duckdb {rows} {limit}", ("group_limit", "host_exhausted"),
        {"rows": 16000000, "limit": 3000, "group": 240}, {"less_at_once": {"rows": "*0.05"}, "own_limit": {"limit": 100}}),
    row("python-records-2", "python", "python3 ways.py records {rows}", ("host_leak", "dataset_in_host_memory", "host_exhausted"),
        {"rows": 26000, "address": 300}, {name: {"rows": "*0.05"} for name in ("stream_dataset", "less_at_once", "use_part", "fix_leak")}),
]

NEW_SCENARIOS = AGAIN + LANGUAGES + TOOLS + LIBRARIES + SIBLINGS
