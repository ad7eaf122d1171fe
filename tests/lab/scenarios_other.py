"""Programs that none of the other scenarios runs. All are held: they were written before any of them
was run, and only their sums are looked at."""

from scenarios import GROUP, HOST, LEAK, LOAD, RECORDS, RUNTIME, SCENARIOS
from scenarios_later import LATER_SCENARIOS
from scenarios_ml import ML_SCENARIOS
from scenarios_more import BIG, ENDED, KEPT, LEAK_GROUP, MORE_SCENARIOS, WORKERS, ends, held
from scenarios_new import NEW_SCENARIOS
from scenarios_third import THIRD_SCENARIOS

LISP_SBCL = "sbcl --dynamic-space-size {heap}MB --script load.lisp " + RECORDS
MONO = "mono Load.exe " + RECORDS
LANGUAGES = [
    held("fortran-batch", "fortran", "./load_f90 " + RECORDS, HOST, {**BIG, "address": 300}),
    held("fortran-kept", "fortran", "./load_f90 " + RECORDS, LEAK_GROUP, {**KEPT, "group": 130}),
    held("fortran-retries", "fortran", "./load_f90 {batch} {batches} retry", ("survived",),
         {**BIG, "address": 300}, outcome=("survived",)),
    held("sbcl-batch", "sbcl", LISP_SBCL, RUNTIME, {**BIG, "batch": 2000, "heap": 200}),
    held("sbcl-kept", "sbcl", LISP_SBCL, LEAK, {**KEPT, "heap": 120}),
    held("erlang-limit", "erlang", "escript load.escript " + RECORDS + " {heap}", RUNTIME,
         {**LOAD, "batch": 250, "batches": 5, "heap": 56}),
    held("erlang-kept", "erlang", "escript load.escript " + RECORDS, LEAK_GROUP, {**KEPT, "group": 200}),
    held("prolog-kept", "prolog", "swipl --stack-limit={heap}m load.prolog " + RECORDS, LEAK, {**KEPT, "heap": 100}),
    held("prolog-group", "prolog", "swipl --stack-limit=4g load.prolog " + RECORDS, LEAK_GROUP, {**KEPT, "batch": 64, "group": 200}),
    held("nim-batch", "nim", "./load_nim " + RECORDS, HOST, {**BIG, "address": 840}),
    held("nim-kept", "nim", "./load_nim " + RECORDS, LEAK_GROUP, {**KEPT, "group": 130}),
    held("mono-batch", "mono", MONO, HOST, {**BIG, "address": 1120}),
    held("mono-kept", "mono", MONO, LEAK_GROUP, {**KEPT, "group": 150}),
    held("java-metaspace", "java meta", "java -XX:MaxMetaspaceSize={heap}m Meta {rows}", LEAK, {"heap": 24, "rows": 9000},
         {"raise_named": {"heap": "*10"}, "fix_leak": {"rows": 100}}),
    held("node-worker", "node", "node worker.js {heap} {rows}", LEAK, {"heap": 40, "rows": 400000},
         {"raise_named": {"heap": "*8"}, "fix_leak": {"rows": 1000}, "less_at_once": {"rows": "*0.1"}}),
    held("ruby-workers", "ruby", "ruby workers.rb {workers} {table}", WORKERS, {"workers": 5, "table": 70, "group": 250}),
    held("ruby-retries", "ruby", "ruby retry.rb {batch} 4", ("survived",), {"batch": 9000, "address": 400}, outcome=("survived",)),
    held("go-neighbor", "go", "./load_go " + RECORDS, ("host_other_tenant", "group_limit"),
         {**LOAD, "batch": 800, "group": 300, "neighbor": 260}),
]

ROWS = {name: {"rows": "*0.1"} for name in ("less_at_once", "use_part", "stream_dataset", "smaller_pieces", "fix_leak")}
TOOLS = [
    held("busybox-awk", "busybox", "seq {rows} | busybox awk '{{ seen[$0] = $0 }} END {{ print length(seen) }}'", ("host_exhausted",),
         {"rows": 3000000, "address": 100}, ROWS),
    held("zsh-variable", "zsh", "zsh -c 'text=$(head -c {rows}000000 /dev/urandom | base64); echo $#text'", ("host_exhausted",),
         {"rows": 200, "address": 300}, ROWS),
    held("graphviz-graph", "graphviz", "seq {rows} | awk 'BEGIN {{ print \"digraph {{\" }} {{ print $1 \"->\" int($1 / 2) }} "
         "END {{ print \"}}\" }}' | dot -Tcanon -o graph.txt", GROUP + ("host_exhausted",), {"rows": 40000, "group": 70},
         {**ROWS, "smaller_input": {"rows": "*0.1"}}),
    held("memcached-full", "memcached", "./cacheit {limit} {rows}", ("runtime_limit", "host_leak"), {"limit": 16, "rows": 60},
         {"raise_named": {"limit": "*8"}, "raise_limit": {"limit": "*8"}, "less_at_once": {"rows": 5}}),
    held("clang-group", "clang", "make many.o ROWS={rows} CXX=clang++", ("group_limit", "host_exhausted"),
         {"rows": 3000, "group": 130, "setup": "rm -f many.*; make many.cc ROWS={rows}"}),
    held("ninja-group", "ninja", "rm -f *.o; ninja -j{jobs}", ("group_limit",), {"jobs": 4, "group": 250}),
    held("pillow-resize", "pillow", "python3 picture.py {image} 3", ("input_too_large", "host_exhausted"), {"image": 16000, "address": 600},
         {name: {"image": "*0.5"} for name in ("smaller_input", "less_at_once", "smaller_pieces")}),
]

NO_MEMORY = [
    ends("fortran-bounds", "fortran", "./load_f90 4 2 beyond", blind=True),
    ends("sbcl-index", "sbcl", "sbcl --script load.lisp 4 2 wrong", blind=True),
    ends("erlang-badarg", "erlang", "escript load.escript 4 2 wrong", blind=True),
    ends("prolog-type", "prolog", "swipl load.prolog four 2 drop", blind=True),
    ends("mono-range", "mono", "mono Load.exe 4 2 wrong", blind=True),
    ends("zsh-command", "zsh", "zsh -c 'preprocess --all data'", blind=True),
    ends("7z-disk", "7z", "7z a -bd full/out.7z random", blind=True, disk=5, setup="head -c 20000000 /dev/urandom > random"),
    ends("pillow-missing", "pillow", "python3 -c 'from PIL import Image; Image.open(\"photo.png\")'", blind=True),
    ends("erlang-timeout", "erlang", "timeout 2 escript load.escript 100 100000 drop", blind=True, outcome=ENDED),
    held("sbcl-healthy", "sbcl", "sbcl --script load.lisp 4 5 drop", ("none",), {}, outcome=("no_failure",)),
]

OTHER_SCENARIOS = LANGUAGES + TOOLS + NO_MEMORY
ALL_SCENARIOS = SCENARIOS + MORE_SCENARIOS + OTHER_SCENARIOS + ML_SCENARIOS + NEW_SCENARIOS + LATER_SCENARIOS + THIRD_SCENARIOS
MORE_WORDINGS = (("ranked", "docker"), ("systemd", "coloured"), ("docker", "systemd"), ("coloured", "ranked"))
for number, scenario in enumerate(ALL_SCENARIOS):
    scenario.wordings = ("plain", "stamped", *MORE_WORDINGS[number % len(MORE_WORDINGS)])
