"""The scenarios of the laboratory. README.md says what a row means, and how one is added."""

from dataclasses import dataclass, field

MEMORY = ("memory_failure",)
OTHER = ("other_failure", "unknown")
GROUP = ("group_limit", "batch_too_large")
HOST = ("host_exhausted", "batch_too_large")
RUNTIME = ("runtime_limit", "host_exhausted", "batch_too_large")


@dataclass
class Scenario:
    name: str
    needs: str  # of PROGRAMS in runner.py
    command: str
    causes: tuple  # the true one; the others say it as well
    knobs: dict  # of the tuned seed
    held: dict  # what differs in the held one
    hand: dict = field(default_factory=dict)  # {remedy: the knobs that are other where it is followed}
    outcome: tuple = MEMORY
    numbers: dict = field(default_factory=dict)  # {path in the first incident: knob in MiB}
    quick: bool = False  # part of `make check-real`
    wordings: tuple = ()  # of wordings.py; two are for all, two more go round
    blind: bool = False  # both of its seeds are held
    card: bool = False  # it wants a GPU
    alone: bool = False  # nothing else may run on the card


# Knobs that are not in the command: group (MiB of the control group), address (of ulimit -v), shm
# (of /dev/shm), above (a module: group and address count what its import takes not), neighbor (of another process in the group), disk (of the folder full/), setup
# (a command that comes before, unseen), dmesg (False: nobody sees what the kernel said), python.
# What it is to follow a remedy that is said in words; what a scenario says of its own comes first.
# A remedy that is in neither does nothing here, nor does one whose knobs the scenario lacks.
COMMON = {
    "reduce_batch": {"batch": "*0.5"}, "less_at_once": {"batch": "*0.5", "rows": "*0.2"},
    "use_part": {"rows": "*0.2"}, "stream_dataset": {"rows": "*0.2"}, "smaller_pieces": {"batch": "*0.5"}, "raise_limit": {"group": "*2", "address": "*2"},
    "raise_named": {"heap": "*2"}, "fewer_threads": {"threads": 1}, "low_memory_mode_host": {"level": "-6"},
    "smaller_buffers": {"batch": "*0.5"}, "less_per_thread": {"batch": "*0.5"}, "fewer_workers": {"workers": "*0.5"},
    "no_workers": {"workers": 0}, "fewer_processes": {"workers": "*0.5", "jobs": 1},
    "fewer_jobs": {"jobs": 1, "threads": 1}, "larger_shm": {"shm": 1024}, "stop_other_tenant": {"neighbor": 0},
    "fix_leak": {"keep": "drop"}, "bound_cache": {"keep": "drop", "cache": 8},
    "drop_results": {"keep": "drop"},
    "narrow_scopes": {"keep": "drop"}, "process_each": {"keep": "drop"},
}
# Remedies whose words come to what another one means by hand.
SAME_BY_HAND = {"fewer_pairs": "fix_shape", "unique_keys": "fix_shape", "fewer_at_once": "less_at_once"}
TRAIN = "python3 train.py --batch-size {batch} --image-size {image} --steps {steps} {more}"
NUMPY = {"batch": 16, "image": 64, "steps": 10, "more": ""}
NET = "python3 net.py --batch-size {batch} --image-size {image} --steps {steps} {more}"
TORCH = {"batch": 4, "image": 64, "steps": 6, "more": "", "above": "torch"}
DATA = "python3 -c 'import numpy as np; np.save(\"images.npy\", np.ones(({mib}, 1 << 18), dtype=np.float32))'"
STREAM = {"memory_map": {"more": "--data images.npy --mmap"}, "stream_dataset": {"more": "--data images.npy --stream"},
          "less_at_once": {"more": "--data images.npy --stream"}}
NO_LIST = {name: {"more": ""} for name in ("fix_leak", "narrow_scopes", "drop_results", "process_each")}
MEAN = {name: {"more": "--eval-batches 100 --running-mean"}
        for name in ("smaller_evaluation", "drop_results", "process_each", "fix_leak")}

NUMPY_ROWS = [
    Scenario("numpy-batch-group", "numpy", TRAIN, GROUP,
             {**NUMPY, "batch": 2048, "steps": 3, "group": 300}, {"batch": 600, "image": 128, "group": 400},
             numbers={"limit_bytes": "group"}, quick=True),
    Scenario("numpy-batch-unseen", "numpy", TRAIN, GROUP + ("host_exhausted",),
             {**NUMPY, "batch": 1800, "steps": 3, "group": 280, "dmesg": False}, {"batch": 700, "image": 112},
             outcome=MEMORY + ("unknown",)),
    Scenario("numpy-batch-address", "numpy", TRAIN, HOST,
             {**NUMPY, "batch": 4096, "steps": 3, "address": 700}, {"batch": 1500, "image": 128, "address": 800},
             quick=True),
    Scenario("numpy-list-kept", "numpy", TRAIN, ("host_leak",),
             {**NUMPY, "batch": 256, "steps": 120, "more": "--keep-outputs", "group": 300},
             {"batch": 64, "image": 128, "group": 360},
             NO_LIST, quick=True),
    Scenario("numpy-data-address", "numpy", TRAIN, ("dataset_in_host_memory",),
             {**NUMPY, "mib": 600, "setup": DATA, "more": "--data images.npy", "address": 600},
             {"mib": 900, "address": 800},
             STREAM, quick=True),
    Scenario("numpy-data-group", "numpy", TRAIN, ("dataset_in_host_memory",),
             {**NUMPY, "mib": 400, "setup": DATA, "more": "--data images.npy", "group": 250},
             {"mib": 520, "group": 300},
             STREAM),
    Scenario("numpy-evaluation", "numpy", TRAIN, ("evaluation_accumulates",),
             {**NUMPY, "batch": 256, "more": "--eval-batches 100", "group": 300},
             {"batch": 64, "image": 128, "group": 340}, MEAN),
    Scenario("numpy-reload", "numpy", TRAIN, ("model_reload",),
             {**NUMPY, "more": "--weights 200 --reload", "group": 340},
             {"more": "--weights 260 --reload", "group": 420},
             {"load_into": {"more": "--weights 200"}}),
    Scenario("numpy-neighbor", "numpy", TRAIN, ("host_other_tenant", "group_limit"),
             {**NUMPY, "batch": 256, "group": 300, "neighbor": 250},
             {"batch": 300, "group": 360, "neighbor": 310}, quick=True),
    Scenario("numpy-survives", "numpy", TRAIN, ("survived",),
             {**NUMPY, "batch": 2500, "steps": 2, "more": "--fall-back", "address": 550},
             {"batch": 2000, "image": 128, "address": 900}, outcome=("survived",)),
]

NOT_MEMORY = ("not_memory",)
SILENT = OTHER + ("no_failure",)  # `timeout` says nothing: a log may just end
OTHER_ROWS = [
    Scenario("disk-full", "numpy", TRAIN, NOT_MEMORY,
             {**NUMPY, "more": "--weights 30 --save full/weights.npy", "disk": 8},
             {"more": "--weights 50 --save full/last.npy", "disk": 16}, outcome=OTHER, quick=True),
    Scenario("time-limit", "numpy", "timeout {signal} 4 " + TRAIN + " --sleep 1", NOT_MEMORY + ("none",),
             {**NUMPY, "signal": ""}, {"signal": "-s KILL", "batch": 32}, outcome=SILENT),
    Scenario("killed-by-user", "numpy", "(sleep 3; pkill {signal} -P $$ python3) & " + TRAIN + " --sleep 1",
             NOT_MEMORY, {**NUMPY, "signal": "-KILL"}, {"signal": "-TERM", "batch": 64},
             outcome=OTHER),
    Scenario("assertion", "numpy", TRAIN, NOT_MEMORY, {**NUMPY, "more": "--classes 5"},
             {"more": "--classes 7", "batch": 128}, outcome=OTHER, quick=True),
    Scenario("shape-mismatch", "torch", NET, NOT_MEMORY, {**TORCH, "image": 0},
             {"image": -3, "batch": 32}, outcome=OTHER),
]

TORCH_ROWS = [
    Scenario("torch-batch-group", "torch", NET, GROUP,
             {**TORCH, "batch": 900, "steps": 3, "group": 760}, {"batch": 240, "image": 128, "group": 820},
             numbers={"limit_bytes": "group"}),
    Scenario("torch-batch-address", "torch", NET, HOST,
             {**TORCH, "batch": 1500, "steps": 1, "address": 1200}, {"batch": 400, "image": 128, "address": 1300},
             quick=True),
    Scenario("torch-graph-kept", "torch", NET, ("host_leak",),
             {**TORCH, "batch": 64, "steps": 90, "more": "--keep-graph", "group": 380},
             {"batch": 24, "image": 112, "group": 440},
             NO_LIST),
    Scenario("torch-workers-copy", "torch", NET + " --num-workers {workers} --cache 150", ("workers_host_memory",),
             {**TORCH, "batch": 8, "steps": 40, "workers": 4, "group": 530},
             {"workers": 6, "group": 780}, quick=True),
    Scenario("torch-shm", "torch", NET + " --num-workers {workers}", ("shm_too_small",),
             {**TORCH, "batch": 32, "image": 256, "workers": 2,
              "shm": 16},
             {"batch": 64, "shm": 32, "workers": 4}, quick=True),
    Scenario("torch-evaluation", "torch", NET, ("evaluation_accumulates",),
             {**TORCH, "batch": 64, "more": "--eval-batches 100", "group": 380},
             {"batch": 20, "image": 128, "group": 440}, MEAN),
    Scenario("torch-reload", "torch", NET, ("model_reload",),
             {**TORCH, "more": "--weights 200 --reload", "group": 360},
             {"more": "--weights 300 --reload", "group": 480},
             {"load_into": {"more": "--weights 200"}}),
]

LOAD = {"batch": 16, "batches": 20, "keep": "drop"}
RUNTIME_ROWS = [
    Scenario("java-batch", "java", "java -Xmx{heap}m Load {batch} {batches} {keep}",
             RUNTIME,
             {**LOAD, "batch": 1600, "heap": 64}, {"batch": 3000, "heap": 128},
             quick=True),
    Scenario("java-kept", "java", "java -Xmx{heap}m Load {batch} {batches} {keep}",
             ("host_leak", "runtime_limit"),
             {**LOAD, "batches": 200, "keep": "keep", "heap": 64}, {"heap": 96}),
    Scenario("java-group", "java", "java -Xmx{heap}m Load {batch} {batches} {keep}",
             ("group_limit", "host_leak"),
             {**LOAD, "batches": 600, "keep": "keep", "heap": 900, "group": 200},
             {"heap": 1200, "group": 260}),
    Scenario("node-batch", "node", "node --max-old-space-size={heap} load.js {batch} {batches} {keep}",
             RUNTIME,
             {**LOAD, "batch": 1000000, "heap": 220}, {"batch": 1200000, "heap": 260}),
    Scenario("node-kept", "node", "node --max-old-space-size={heap} load.js {batch} {batches} {keep}",
             ("host_leak", "runtime_limit"),
             {**LOAD, "batch": 20000, "batches": 100, "keep": "keep", "heap": 64}, {"heap": 90}, quick=True),
    Scenario("c++-batch", "c++", "./load_cc {batch} {batches} {keep}", HOST,
             {**LOAD, "batch": 8000, "address": 300}, {"batch": 12000, "address": 500},
             quick=True),
    Scenario("c++-kept", "c++", "./load_cc {batch} {batches} {keep}", ("host_leak", "host_exhausted"),
             {**LOAD, "batches": 500, "keep": "keep", "address": 200},
             {"batch": 24, "address": 300}),
    Scenario("perl-batch", "perl", "perl load.pl {batch} {batches} {keep}", HOST,
             {**LOAD, "batch": 5000, "address": 400}, {"batch": 8000, "address": 640},
             quick=True),
    Scenario("go-kept", "go", "./load_go {batch} {batches} {keep}", ("host_leak", "group_limit"),
             {**LOAD, "batches": 400, "keep": "keep", "group": 150}, {"batch": 30, "group": 200}),
    Scenario("go-address", "go", "./load_go {batch} {batches} {keep}", HOST,
             {**LOAD, "batch": 10000, "address": 1950}, {"batch": 15000, "address": 2700}),
    Scenario("rust-batch", "rust", "./load_rs {batch} {batches} {keep}", HOST,
             {**LOAD, "batch": 8000, "address": 300}, {"batch": 12000, "address": 500}),
    Scenario("compilers-in-parallel", "c", "make -j{jobs} ROWS={rows}", ("group_limit",),
             {"jobs": 4, "rows": 400000, "group": 300}, {"rows": 500000, "group": 330},
             quick=True),
    Scenario("pool-copies", "python", "python3 pool.py {workers} {table}",
             ("workers_host_memory", "group_limit"),
             {"workers": 4, "table": 100, "group": 250}, {"workers": 8, "table": 60, "group": 270}),
]

LEAK = ("host_leak", "runtime_limit")
RECORDS = "{batch} {batches} {keep}"
LANGUAGE_ROWS = [
    Scenario("r-batch", "R", "Rscript load.R " + RECORDS, HOST,
             {**LOAD, "batch": 6000, "batches": 5, "address": 600}, {"batch": 9000, "address": 800}),
    Scenario("r-kept", "R", "Rscript load.R " + RECORDS, LEAK,
             {**LOAD, "batch": 60, "batches": 200, "keep": "keep", "heap": 100, "env": "R_MAX_VSIZE={heap}Mb"},
             {"batch": 50, "heap": 130}),
    Scenario("ruby-batch", "ruby", "ruby load.rb " + RECORDS, HOST,
             {**LOAD, "batch": 8000, "batches": 5, "address": 420}, {"batch": 12000, "address": 630}),
    Scenario("ruby-kept", "ruby", "ruby load.rb " + RECORDS, ("host_leak", "group_limit"),
             {**LOAD, "batches": 300, "keep": "keep", "group": 120}, {"batch": 30, "group": 160}),
    Scenario("php-batch", "php", "php -d memory_limit={heap}M load.php " + RECORDS, RUNTIME,
             {**LOAD, "batch": 2000, "batches": 5, "heap": 180}, {"batch": 3000, "heap": 270}, quick=True),
    Scenario("php-kept", "php", "php -d memory_limit={heap}M load.php " + RECORDS, LEAK,
             {**LOAD, "batches": 300, "keep": "keep", "heap": 64}, {"batch": 12, "heap": 96}),
    Scenario("node-group", "node", "node load.js " + RECORDS, ("host_leak", "group_limit"),
             {**LOAD, "batch": 20000, "batches": 400, "keep": "keep", "group": 160}, {"batch": 30000, "group": 200}),
    Scenario("perl-kept", "perl", "perl load.pl " + RECORDS, ("host_leak", "host_exhausted"),
             {**LOAD, "batches": 400, "keep": "keep", "address": 200}, {"batch": 24, "address": 260}),
    Scenario("rust-kept", "rust", "./load_rs " + RECORDS, ("host_leak", "group_limit"),
             {**LOAD, "batches": 400, "keep": "keep", "group": 120}, {"batch": 24, "group": 160}),
    Scenario("c++-group", "c++", "./load_cc " + RECORDS, GROUP,
             {**LOAD, "batch": 8000, "group": 400}, {"batch": 9000, "group": 440}),
]

TABLE_ROWS = [
    Scenario("pandas-read", "pandas", "python3 tables.py read --chunk-size {chunk}", ("dataset_in_host_memory",),
             {"chunk": 0, "setup": "seq 900000 | awk '{{print NR\",\"$1*0.5\",\"$1%7\",\"$1*3}}' | sed '1i a,b,c,d' > table.csv",
              "group": 130}, {"group": 115},
             {name: {"chunk": 5000} for name in ("stream_dataset", "less_at_once", "use_part")}),
    Scenario("pandas-merge", "pandas", "python3 tables.py merge --rows {rows} {unique}",
             ("accidental_shape", "host_exhausted", "dataset_in_host_memory"),
             {"rows": 9000, "unique": "", "address": 900}, {"rows": 12000, "address": 1000},
             {"less_at_once": {"rows": "*0.5"}, "use_part": {"rows": "*0.5"}, "fix_shape": {"unique": "--unique-keys"}}),
    Scenario("numpy-broadcast", "pandas", "python3 tables.py distances --rows {rows}", ("accidental_shape",),
             {"rows": 12000, "address": 900}, {"rows": 15000, "address": 1100},
             {name: {"rows": "*0.3"} for name in ("less_at_once", "fix_shape")}),
    Scenario("joblib-copies", "joblib", "python3 forest.py {jobs} {table}", ("workers_host_memory", "group_limit"),
             {"jobs": 4, "table": 60, "group": 250}, {"jobs": 6, "table": 50, "group": 300},
             {"fewer_workers": {"jobs": "*0.25"}, "fewer_jobs": {"jobs": 1}}),
    Scenario("python-cache", "python", "python3 frames.py --cache-size {cache} --frames 400",
             ("host_leak", "group_limit"), {"cache": 0, "group": 200}, {"group": 260}),
    Scenario("python-cache-bound", "python", "python3 frames.py --cache-size {cache} --frames 400",
             ("host_leak", "group_limit"), {"cache": 200, "group": 200}, {"cache": 160, "group": 260}),
    Scenario("xgboost-rows", "xgboost", "python3 trees.py --rows {rows} --batch-size {batch}",
             ("group_limit", "dataset_in_host_memory"), {"rows": 1500000, "batch": 0, "group": 500},
             {"rows": 2000000, "group": 600},
             {name: {"batch": 100000} for name in ("stream_dataset", "less_at_once", "use_part")}),
    Scenario("keras-step", "tensorflow", "python3 keras_fit.py --batch-size {batch} --image-size {image}",
             ("batch_too_large", "capped"),
             {"batch": 256, "image": 64, "limit": 200,
              "env": "TF_CPU_ALLOCATOR_USE_BFC=1 TF_CPU_BFC_MEM_LIMIT_IN_MB={limit}"},
             {"batch": 96, "image": 112, "limit": 240}, {"raise_limit": {"limit": 20000}}),
]

TOOL_ROWS = [
    Scenario("xz-threads", "xz", "xz {level} -T{threads} -k -f random", ("host_exhausted",),
             {"level": "-9e", "threads": 1, "address": 400, "setup": "head -c 4000000 /dev/urandom > random"},
             {"level": "-9", "address": 300}, {"bounded_memory": {"level": "-9 --memlimit=100MiB"}}),
    Scenario("zstd-window", "zstd", "zstd {level} -T{threads} -f random", ("host_exhausted",),
             {"level": "--ultra -22 --long=29", "threads": 1, "address": 300,
              "setup": "head -c 20000000 /dev/urandom > random"}, {"level": "--ultra -21 --long=30"}),
    Scenario("awk-seen", "awk", "seq {rows} | mawk '{{ seen[$0] = $0 }} END {{ print length(seen) }}'", ("host_exhausted",),
             {"rows": 4000000, "address": 150}, {"rows": 5000000, "address": 200},
             {"less_at_once": {"rows": "*0.2"}, "use_part": {"rows": "*0.2"}}),
    Scenario("jq-whole", "jq", "jq {how} big.json", ("host_exhausted",),
             {"how": "length", "setup": "seq 900000 | awk 'BEGIN {{ print \"[\" }} {{ print (NR > 1 ? \",\" : \"\") \"{{\\\"id\\\":\" $1 \"}}\" }} END {{ print \"]\" }}' > big.json",
              "address": 150}, {"address": 120},
             {"less_at_once": {"how": "-n --stream 'reduce (inputs | select(length == 2)) as $x (0; . + 1)'"}}),
    Scenario("ffmpeg-threads", "ffmpeg", "ffmpeg -hide_banner -nostats -y -f lavfi -i testsrc=size={size}:rate=25 "
             "-threads {threads} -frames:v 14 -c:v libx264 -preset veryslow out.mp4",
             ("group_limit", "host_exhausted"), {"size": "3840x2160", "threads": 16, "group": 1100},
             {"size": "2560x1440", "threads": 12, "group": 500},
             {"smaller_input": {"size": "960x540"}}),
]

SCENARIOS = NUMPY_ROWS + OTHER_ROWS + TORCH_ROWS + RUNTIME_ROWS + LANGUAGE_ROWS + TABLE_ROWS + TOOL_ROWS
