"""Further scenarios: other languages and engines, builds, services, ends that are not memory's. Those
that are `held` were never looked at while rules or advice were changed."""

from scenarios import GROUP, HOST, LEAK, LOAD, MEMORY, OTHER, RECORDS, RUNTIME, Scenario

NOT_MEMORY = ("not_memory", "none")
ENDED = OTHER + ("no_failure",)  # where a log may just end
LEAK_GROUP = ("host_leak", "group_limit")
WORKERS = ("workers_host_memory", "group_limit")
TABLE = ("dataset_in_host_memory", "group_limit")
TABLE_HOST = ("dataset_in_host_memory", "host_exhausted")
LIMIT = ("runtime_limit", "batch_too_large")


def row(name, needs, command, causes, knobs, hand=None, outcome=MEMORY, held=False, quick=False):
    return Scenario(name, needs, command, causes, knobs, {}, hand or {}, outcome, {}, quick, blind=held)


def held(*args, **more):
    return row(*args, held=True, **more)


def ends(name, needs, command, blind=False, outcome=OTHER, **knobs):
    """It fails, and memory is not why."""
    return row(name, needs, command, NOT_MEMORY, knobs, outcome=outcome, held=blind)


BIG = {**LOAD, "batch": 8000, "batches": 3}
KEPT = {**LOAD, "batches": 400, "keep": "keep"}
LANGUAGES = [
    row("lua-batch", "lua", "lua5.4 load.lua " + RECORDS, HOST, {**BIG, "address": 750}, quick=True),
    held("lua-kept", "lua", "lua5.4 load.lua " + RECORDS, ("host_leak", "host_exhausted"), {**KEPT, "address": 200}),
    held("lua-group", "lua", "lua5.4 load.lua " + RECORDS, LEAK_GROUP, {**KEPT, "group": 120}),
    row("tcl-batch", "tcl", "tclsh load.tcl " + RECORDS, HOST, {**BIG, "batch": 6000, "address": 560}),
    held("tcl-kept", "tcl", "tclsh load.tcl " + RECORDS, LEAK_GROUP, {**KEPT, "group": 130}),
    row("ocaml-kept", "ocaml", "ocaml load.ml " + RECORDS, ("host_leak", "host_exhausted"), {**KEPT, "address": 300}),
    held("ocaml-batch", "ocaml", "ocaml load.ml " + RECORDS, HOST, {**BIG, "address": 1200}),
    held("guile-batch", "guile", "guile load.scm " + RECORDS, HOST, {**BIG, "batch": 6000, "address": 400}),
    row("octave-batch", "octave", "octave --no-gui -q load.m " + RECORDS, HOST, {**BIG, "batch": 30000, "address": 2500}),
    held("octave-group", "octave", "octave --no-gui -q load.m " + RECORDS, LEAK_GROUP, {**KEPT, "batch": 100, "group": 260}),
    held("gawk-seen", "gawk", "seq {rows} | gawk '{{ seen[$0] = $0 }} END {{ print length(seen) }}'", ("host_exhausted",),
         {"rows": 3000000, "address": 200}, {"less_at_once": {"rows": "*0.2"}, "use_part": {"rows": "*0.2"}}),
    held("go-group", "go", "./load_go " + RECORDS, GROUP, {**BIG, "group": 600}),
    held("go-map", "go", "./ways_go map {rows}", ("host_leak", "group_limit", "host_exhausted"), {"rows": 6000000, "group": 220},
         {"less_at_once": {"rows": "*0.1"}, "fix_leak": {"rows": "*0.1"}}),
    held("rust-group", "rust", "./load_rs " + RECORDS, GROUP, {**BIG, "group": 300}),
    row("ruby-group", "ruby", "ruby load.rb " + RECORDS, GROUP, {**BIG, "group": 600}),
    held("perl-group", "perl", "perl load.pl " + RECORDS, GROUP, {**BIG, "batch": 6000, "group": 500}),
    held("perl-unseen", "perl", "perl load.pl " + RECORDS, LEAK_GROUP + ("host_exhausted",),
         {**KEPT, "group": 150, "dmesg": False}, outcome=MEMORY + ("unknown",)),
    held("php-group", "php", "php -d memory_limit=-1 load.php " + RECORDS, LEAK_GROUP, {**KEPT, "group": 150}),
    held("r-group", "R", "Rscript load.R " + RECORDS, LEAK_GROUP, {**KEPT, "batch": 60, "group": 200}),
    row("python-one", "python", "python3 ways.py one {batch}", HOST, {"batch": 1000, "address": 800}, quick=True),
    held("python-records", "python", "python3 ways.py records {rows}", ("host_leak", "dataset_in_host_memory", "host_exhausted"),
         {"rows": 20000, "address": 250}, {name: {"rows": "*0.05"} for name in (
             "stream_dataset", "less_at_once", "use_part", "fix_leak")}),
    held("python-text", "python", "python3 ways.py text {batch}", HOST, {"batch": 400, "address": 900}),
    held("python-unseen", "python", "python3 ways.py one {batch}", GROUP + ("host_exhausted",),
         {"batch": 500, "group": 300, "dmesg": False}, outcome=MEMORY + ("unknown",)),
    row("node-buffer", "node", "node ways.js buffer {batch}", HOST, {"batch": 3000, "address": 3200}),
    held("node-string", "node", "node ways.js string {batch}", HOST + ("runtime_limit",), {"batch": 900, "heap": 1},
         {name: {"batch": 100} for name in ("less_at_once", "smaller_pieces")}),
    held("npm-build", "npm", "npm run build", LEAK, {"heap": 420, "env": "NODE_OPTIONS=--max-old-space-size={heap}"}),
]

JAVA = "java -Xmx{heap}m Ways {what} {rows}"
MACHINES = [
    row("java-direct", "java", "java -Xmx{heap}m -XX:MaxDirectMemorySize={limit}m Ways direct {rows}",
        ("runtime_limit", "host_leak"), {"heap": 64, "limit": 50, "rows": 100}, {"raise_named": {"limit": "*2"}}),
    held("java-small", "java", "java -XX:+UseParallelGC -Xmx{heap}m Ways small {rows}", LEAK,
         {"heap": 90, "rows": 1500000}, {"raise_named": {"heap": "*4"}}),
    row("java-array", "java", JAVA, RUNTIME, {"heap": 100, "what": "array", "rows": 200000000},
        {"less_at_once": {"rows": "*0.1"}, "raise_named": {"heap": "*10"}}),
    held("java-start", "java", "java -Xms{heap}m -Xmx{heap}m Load 1 5 drop", ("host_exhausted", "runtime_limit"),
         {"heap": 3000, "address": 2500}, {"raise_named": {"heap": 500}, "reduce_named": {"heap": 500},
                                          "smaller_heap": {"heap": 500}, "lower_service": {"heap": 500}}),
    row("java-survives", "java", "java -Xmx{heap}m Survive {batch} 10", ("survived",), {"heap": 64, "batch": 200},
        outcome=("survived",)),
    held("node-survives", "node", "node ways.js survive {batch}", ("survived",), {"batch": 8000, "address": 3000},
         outcome=("survived",)),
    held("c++-survives", "c++", "./ways_cc survive {batch}", ("survived",), {"batch": 2000, "address": 500},
         outcome=("survived",)),
    held("python-survives", "python", "python3 ways.py survive {batch}", ("survived",), {"batch": 2000, "address": 500},
         outcome=("survived",)),
    held("c++-malloc", "c++", "./ways_cc malloc {batch}", HOST, {"batch": 900, "address": 600}),
]

MAKE = "make {target} ROWS={rows}"
BUILDS = [
    row("g++-group", "c++", MAKE, ("group_limit", "host_exhausted"),
        {"target": "many.o", "rows": 3000, "group": 110, "setup": "rm -f many.*; make many.cc ROWS={rows}"}),
    held("g++-address", "c++", MAKE, ("host_exhausted",),
         {"target": "many.o", "rows": 3000, "address": 154, "setup": "rm -f many.*; make many.cc ROWS={rows}"}),
    held("rustc-group", "rustc", MAKE, ("group_limit", "host_exhausted"),
         {"target": "many", "rows": 600, "group": 110, "setup": "rm -f many many.*; make many.rs ROWS={rows}"}),
    held("go-build", "go build", MAKE, ("group_limit", "host_exhausted"),
         {"target": "many_go", "rows": 8000, "group": 200, "setup": "rm -f many*; make many.go ROWS={rows}"}),
    held("javac-heap", "javac", "make Many.class ROWS={rows} JAVACFLAGS=-J-Xmx{heap}m", ("runtime_limit", "host_exhausted"),
         {"rows": 20000, "heap": 24, "setup": "rm -f Many.*; make Many.java ROWS={rows}"}),
    held("ranks-group", "mpi", "mpirun --allow-run-as-root --oversubscribe -n {workers} python3 rank.py {table} 1", WORKERS,
         {"workers": 6, "table": 60, "group": 260}),
    row("xargs-group", "python", "seq 8 | xargs -P {jobs} -I% python3 rank.py {table} 1", WORKERS,
        {"jobs": 6, "table": 60, "group": 200}, {"fewer_workers": {"jobs": 2}, "fewer_jobs": {"jobs": 1}}),
    held("pool-small", "python", "python3 pool.py {workers} {table}", WORKERS, {"workers": 3, "table": 150, "group": 280}),
]

SERVICES = [
    row("gunicorn-request", "gunicorn", "./serve {workers} {batches} {batch}", LEAK_GROUP + ("workers_host_memory",),
        {"workers": 1, "batches": 10, "batch": 30, "group": 200}, {"fix_leak": {"batch": 1}, "bound_cache": {"batch": 1}}),
    held("gunicorn-workers", "gunicorn", "./serve {workers} {batches} {batch}", LEAK_GROUP + ("workers_host_memory",),
         {"workers": 4, "batches": 12, "batch": 25, "group": 250}, {"fix_leak": {"batch": 1}, "bound_cache": {"batch": 1}}),
    row("redis-full", "redis", "./store {limit} {rows} 1000000", ("runtime_limit", "kv_cache"),
        {"limit": 20, "rows": 30}, {"raise_named": {"limit": "*4"}, "less_at_once": {"rows": "*0.2"}}),
    held("redis-group", "redis", "./store 0 {rows} 1000000", ("group_limit", "host_leak", "host_exhausted"),
         {"rows": 150, "group": 80}, {"less_at_once": {"rows": "*0.2"}, "own_limit": {"rows": "*0.2"},
                                        "raise_limit": {"group": 320}}),
    row("postgres-address", "postgresql", "./query \"SELECT length(string_agg(repeat('x', 1000), '')) FROM generate_series(1, {rows})\" "
        "\"SET work_mem = '64MB'\"", ("host_exhausted", "accidental_shape", "batch_too_large"),
        {"rows": 400000, "address": 400}, {"less_at_once": {"rows": "*0.1"}}),
    held("postgres-group", "postgresql", "./query \"SELECT length(array_agg(i || repeat('y', 500))::text) FROM "
         "generate_series(1, {rows}) i\" \"SET work_mem = '256MB'\"", ("group_limit", "host_exhausted"),
         {"rows": 300000, "group": 500}, {"less_at_once": {"rows": "*0.1"}}),
    held("sqlite-heap", "sqlite", "sqlite3 :memory: 'PRAGMA hard_heap_limit={heap}000000; SELECT length(group_concat(value, \" \")) "
         "FROM generate_series(1, {rows})'", ("runtime_limit", "host_exhausted"), {"heap": 8, "rows": 3000000},
         {"raise_named": {"heap": "*20"}, "less_at_once": {"rows": "*0.05"}}),
]

TOOLS = [
    row("dd-block", "coreutils", "dd if=/dev/zero of=/dev/null bs={batch}M count=1", HOST, {"batch": 1024, "address": 700},
        quick=True),
    held("grep-line", "grep", "head -c {rows}000000 /dev/zero | tr '\\\\0' x | grep -c y", ("host_exhausted",),
         {"rows": 500, "address": 300}, {"less_at_once": {"rows": 20}}),
    held("bash-variable", "bash", "text=$(head -c {rows}000000 /dev/urandom | base64); echo ${{#text}}", ("host_exhausted",),
         {"rows": 150, "address": 300}, {"less_at_once": {"rows": 5}}),
    held("git-add", "git", "git init -q repo; cp big repo; cd repo; git {how} add big", ("host_exhausted",),
         {"how": "", "address": 120, "setup": "rm -rf repo; head -c 150000000 /dev/urandom > big"},
         {"low_memory_mode_host": {"how": "-c core.bigFileThreshold=10m"}}),
    held("convert-limit", "imagemagick", "convert -limit memory {limit}MiB -limit map {limit}MiB -limit disk 0 "
         "-size {size} xc:red -blur 0x2 out.png", ("runtime_limit",), {"limit": 16, "size": "2000x2000"},
         {"raise_named": {"limit": "*8"}, "smaller_input": {"size": "500x500"}, "raise_limit": {"limit": "*8"}}),
    held("xz-memlimit", "xz", "xz -dk -f -M {limit}MiB big.xz", ("runtime_limit",),
         {"limit": 8, "setup": "head -c 2000000 /dev/urandom | xz -9 > big.xz"}, {"raise_named": {"limit": 100},
                                                                            "raise_limit": {"limit": 100}}),
    row("zstd-memlimit", "zstd", "zstd -d -q -f --memory={limit}MB big.zst", ("runtime_limit",),
        {"limit": 2, "setup": "head -c 20000000 /dev/urandom | zstd -q --ultra -20 > big.zst"},
        {"raise_named": {"limit": 100}, "raise_limit": {"limit": 100}}, quick=True),
]

ARENA = "python3 arena.py --batch-size {batch} --image-size {image} --limit {limit}"
LIBRARIES = [
    row("onnxruntime-arena", "onnxruntime", ARENA, ("capped", "batch_too_large", "runtime_limit"),
        {"batch": 64, "image": 128, "limit": 40}, {"raise_limit": {"limit": "*2"}, "raise_named": {"limit": "*2"}}),
    held("onnxruntime-address", "onnxruntime", ARENA, HOST, {"batch": 2000, "image": 128, "limit": 0, "address": 1500}),
    held("lightgbm-group", "lightgbm", "python3 boost.py lightgbm --rows {rows}", TABLE,
         {"rows": 1500000, "group": 320}, {name: {"rows": "*0.2"} for name in ("use_part", "less_at_once", "stream_dataset")}),
    held("lightgbm-address", "lightgbm", "python3 boost.py lightgbm --rows {rows}", TABLE_HOST,
         {"rows": 5000000, "address": 1500}, {name: {"rows": "*0.1"} for name in ("use_part", "less_at_once", "stream_dataset")}),
    held("catboost-address", "catboost", "python3 boost.py catboost --rows {rows}", TABLE_HOST,
         {"rows": 3000000, "address": 1600}, {name: {"rows": "*0.1"} for name in ("use_part", "less_at_once", "stream_dataset")}),
    row("duckdb-limit", "duckdb", "python3 engine.py duckdb {rows} {limit}", ("runtime_limit", "host_exhausted"),
        {"rows": 4000000, "limit": 60}, {"raise_named": {"limit": "*8"}, "raise_limit": {"limit": "*8"},
                                         "less_at_once": {"rows": "*0.05"}}),
    held("duckdb-group", "duckdb", "python3 engine.py duckdb {rows} {limit}", ("group_limit", "host_exhausted"),
         {"rows": 20000000, "limit": 4000, "group": 250}, {"less_at_once": {"rows": "*0.05"}, "own_limit": {"limit": 100}}),
    held("polars-cross", "polars", "python3 engine.py polars {rows} 0", ("accidental_shape", "host_exhausted", "batch_too_large"),
         {"rows": 300000000, "address": 3000}, {"less_at_once": {"rows": "*0.01"}, "fix_shape": {"rows": "*0.01"}}),
    held("pyarrow-buffer", "pyarrow", "python3 engine.py arrow {rows} 0", HOST, {"rows": 400000000, "address": 1500},
         {"less_at_once": {"rows": "*0.05"}, "smaller_pieces": {"rows": "*0.05"}}),
    row("sklearn-distances", "sklearn", "python3 near.py --samples {rows}", ("accidental_shape", "host_exhausted", "input_too_large"),
        {"rows": 14000, "address": 1200}, {name: {"rows": "*0.2"} for name in ("less_at_once", "use_part", "fix_shape",
                                                                             "smaller_pieces")}),
    held("sklearn-clusters", "sklearn", "python3 near.py --task clusters --samples {rows}",
         ("host_exhausted", "accidental_shape", "input_too_large"), {"rows": 14000, "address": 1000},
         {name: {"rows": "*0.1"} for name in ("less_at_once", "use_part", "fix_shape", "smaller_pieces")}),
    held("numpy-weights", "numpy", "python3 train.py --weights {width} --steps 2", ("model_too_large", "host_exhausted"),
         {"width": 1500, "address": 800}, {"smaller_model": {"width": "*0.2"}, "half_precision": {"width": "*0.5"}}),
    held("numpy-batch-float", "numpy", "python3 train.py --batch-size {batch} --image-size {image} --steps 2", GROUP,
         {"batch": 900, "image": 96, "group": 260}),
    held("numpy-unseen-kept", "numpy", "python3 train.py --batch-size {batch} --steps 150 {more}", ("host_leak", "group_limit"),
         {"batch": 200, "more": "--keep-outputs", "group": 260, "dmesg": False},
         {name: {"more": ""} for name in ("fix_leak", "narrow_scopes", "drop_results", "process_each")},
         outcome=MEMORY + ("unknown",)),
]

JAX = "python3 gpu/jaxnet.py --dim 512 --layers 3 --batch-size {batch} --steps {steps} {keep}"
KERAS = "python3 keras_fit.py --batch-size {batch} --image-size {image}"
BFC = {"env": "TF_CPU_ALLOCATOR_USE_BFC=1 TF_CPU_BFC_MEM_LIMIT_IN_MB={limit}"}
NETWORKS = [
    row("jax-group", "jax", JAX, GROUP, {"batch": 60000, "steps": 2, "keep": "", "group": 900}),
    held("jax-kept", "jax", JAX, LEAK_GROUP, {"batch": 20000, "steps": 60, "keep": "--keep", "group": 700},
         {"fix_leak": {"keep": ""}, "narrow_scopes": {"keep": ""}}),
    held("keras-image", "tensorflow", KERAS, ("input_too_large", "batch_too_large", "capped"),
         {**BFC, "batch": 2, "image": 512, "limit": 200}, {"smaller_input": {"image": "*0.5"}, "raise_limit": {"limit": "*2"}}),
    held("keras-batch", "tensorflow", KERAS, ("batch_too_large", "capped"), {**BFC, "batch": 128, "image": 80, "limit": 220},
         {"raise_limit": {"limit": "*2"}}),
    held("hf-trainer-group", "transformers", "python3 gpu/trainer.py --per_device_train_batch_size {batch} --max_length {length} "
         "--layers 2 --hidden 128 --vocab 5000 --max_steps 2", GROUP, {"batch": 256, "length": 128, "group": 1300}),
    row("dask-worker", "dask", "python3 cluster.py {limit} {batch} 2", ("group_limit", "runtime_limit", "workers_host_memory"),
        {"limit": 200, "batch": 250}, {"raise_limit": {"limit": "*2"}, "raise_named": {"limit": "*2"},
                                       "less_at_once": {"batch": "*0.2"}}),
]

WAYS = "python3 ways.py {what} {n}"
FULL = "python3 ways.py write {n} full/out.bin"
NO_MEMORY = [
    ends("python-missing", "python", WAYS, what="missing", n=3),
    ends("python-recursion", "python", WAYS, what="deep", n=1),
    ends("python-segv", "python", WAYS, blind=True, what="segv", n=1),
    ends("python-interrupt", "python", WAYS, blind=True, outcome=ENDED, what="interrupt", n=1),
    ends("python-key", "python", WAYS, blind=True, what="key", n=1),
    ends("python-disk", "python", FULL, blind=True, n=40, disk=10),
    ends("python-cpu-time", "python", "ulimit -t 2; " + WAYS, blind=True, outcome=ENDED, what="spin", n=9),
    ends("python-file-size", "python", "ulimit -f 1000; python3 ways.py write {n} out.bin", blind=True, n=40),
    ends("python-open-files", "python", "ulimit -n 40; " + WAYS, what="files", n=100),
    ends("c++-assert", "c++", "./ways_cc assert 1", blind=True),
    ends("c++-segv", "c++", "./ways_cc segv 1"),
    ends("c++-abort", "c++", "./ways_cc abort 1", blind=True),
    ends("go-index", "go", "./ways_go index 9", blind=True),
    ends("go-deadlock", "go", "./ways_go deadlock 1", blind=True),
    ends("java-deep", "java", "java -Xss1m Ways deep 1", blind=True),
    ends("java-number", "java", "java Ways small many"),
    ends("node-deep", "node", "node ways.js deep 1", blind=True),
    ends("tar-disk", "coreutils", "head -c 30000000 /dev/urandom > big; tar cf full/big.tar big", disk=10),
    ends("sort-disk", "sort", "seq 3000000 | TMPDIR=full sort -S 5M | tail -n 1", blind=True, disk=4),
    ends("gcc-error", "c++", "echo 'int main() {{ return x; }}' > bad.cc; g++ bad.cc"),
    ends("make-rule", "c", "make nothing", blind=True),
    ends("timeout-term", "python", "timeout 2 python3 ways.py spin {n}", outcome=ENDED, n=90),
    ends("killed-by-job", "perl", "(sleep 1; kill -9 $BASHPID) & perl -e 'kill 9, $$ if print \"working\\n\"'", blind=True,
         outcome=ENDED),
    row("python-healthy", "python", "python3 ways.py report {n}", ("none",), {"n": 12}, outcome=("no_failure",)),
    held("perl-healthy", "perl", "perl load.pl 4 10 drop", ("none",), {}, outcome=("no_failure",)),
]

MORE_SCENARIOS = LANGUAGES + MACHINES + BUILDS + SERVICES + TOOLS + LIBRARIES + NETWORKS + NO_MEMORY
