"""Languages, engines and tools that none of the other scenarios runs. Their causes were written down before any
of them was run; which are held was drawn by chance before any report of them was read."""

from scenarios import GROUP, HOST, LEAK, LOAD, RECORDS, RUNTIME
from scenarios_more import BIG, KEPT, LEAK_GROUP, ends, held, row

ROWS = {name: {"rows": "*0.2"} for name in (
    "less_at_once", "use_part", "stream_dataset", "smaller_pieces", "smaller_input", "fix_shape", "fix_leak", "arrays_not_lists")}
LESS_LIMIT = {name: {"reserve": "*0.25"} for name in (
    "reduce_named", "lower_service", "smaller_heap", "smaller_buffers", "less_per_thread", "own_limit")}
NAMED = {"raise_named": {"limit": "*4"}, "raise_limit": {"limit": "*4"}}
NO_ROOM = ("host_exhausted",)
ONE_JOB = ("group_limit", "host_exhausted")
TABLE_HOST = ("dataset_in_host_memory", "host_exhausted")
SQUARE = ("accidental_shape", "host_exhausted", "input_too_large")

GHC = "./load_hs " + RECORDS + " +RTS -M{heap}m"
CLOJURE = "java -Xmx{heap}m -cp /usr/share/java/clojure.jar clojure.main load.clj " + RECORDS
LANGUAGES = [
    row("haskell-batch", "haskell", GHC, RUNTIME, {**BIG, "batch": 2000, "heap": 90}),
    row("haskell-kept", "haskell", GHC, LEAK, {**KEPT, "batches": 120, "heap": 80}),
    held("haskell-group", "haskell", "./load_hs " + RECORDS, GROUP, {**BIG, "group": 300}),
    row("d-batch", "d", "./load_d " + RECORDS, HOST, {**BIG, "batches": 1, "address": 400}),
    row("d-kept", "d", "./load_d " + RECORDS, LEAK_GROUP, {**KEPT, "group": 120}),
    held("crystal-batch", "crystal", "./load_cr " + RECORDS, HOST, {**BIG, "batches": 1, "address": 400}),
    row("crystal-kept", "crystal", "./load_cr " + RECORDS, LEAK_GROUP, {**KEPT, "group": 130}),
    row("icon-batch", "icon", "./load_icn " + RECORDS, HOST, {**BIG, "batches": 1, "address": 300}),
    held("groovy-batch", "groovy", "JAVA_OPTS=-Xmx{heap}m groovy load.groovy " + RECORDS, RUNTIME, {**LOAD, "batch": 1400, "batches": 3, "heap": 80}),
    row("groovy-kept", "groovy", "JAVA_OPTS=-Xmx{heap}m groovy load.groovy " + RECORDS, LEAK, {**KEPT, "batch": 64, "heap": 120}),
    held("clojure-batch", "clojure", CLOJURE, RUNTIME, {**LOAD, "batch": 900, "batches": 3, "heap": 50}),
    row("clojure-kept", "clojure", CLOJURE, LEAK, {**KEPT, "heap": 100}),
    row("pypy-batch", "pypy", "pypy3 load.py " + RECORDS, HOST, {**BIG, "batch": 12000, "address": 1500}),
    row("pypy-kept", "pypy", "pypy3 load.py " + RECORDS, LEAK_GROUP, {**KEPT, "group": 160}),
    held("poly-kept", "poly", "poly --maxheap {heap} --script load.sml -- " + RECORDS, LEAK, {**KEPT, "heap": 90}),
    row("clisp-batch", "clisp", "clisp -q load.lisp " + RECORDS + " | tee out.txt; grep -q done out.txt", HOST, {**BIG, "address": 500}),
    row("gprolog-stack", "gprolog", "GLOBALSZ={heap}000 gprolog --query-goal \"findall(X,for(X,1,{rows}),L),length(L,N),write(N),nl,halt\"",
        RUNTIME, {"rows": 1500000, "heap": 28}, {**ROWS, "raise_named": {"heap": "*4"}}),
]

PARI = "echo 'v = vector({rows}, i, i^20); print(#v)' | gp -q -f -D parisizemax={heap}M -D recover=0"
GLPSOL = "printf 'param n := {rows}; set I := 1..n; var x{{I, I}} >= 0; minimize cost: sum{{i in I, j in I}} x[i,j]; " \
         "s.t. all{{i in I}}: sum{{j in I}} x[i,j] >= 1; end;' > flow.mod; glpsol --check -m flow.mod"
Z3 = "seq {rows} | awk '{{ print \"(declare-const x\" $1 \" Int)(assert (> x\" $1 \" \" $1 \"))\" }}' > rows.smt2; " \
     "z3 -memory:{limit} rows.smt2"
MATHEMATICS = [
    held("pari-stack", "pari", PARI, RUNTIME, {"rows": 2000000, "heap": 110}, ROWS),
    held("glpsol-model", "glpsol", GLPSOL, NO_ROOM + ("input_too_large",), {"rows": 900, "address": 400}, ROWS),
    held("z3-memory", "z3", Z3, RUNTIME, {"rows": 20000, "limit": 70}, {**ROWS, **NAMED}),
    held("xarray-outer", "xarray", "python3 models.py outer {rows}", SQUARE, {"rows": 14000, "above": "xarray", "address": 1000}, ROWS),
    held("numba-table", "numba", "python3 models.py jit {rows}", SQUARE, {"rows": 12000, "above": "numba", "address": 900}, ROWS),
    row("skimage-resize", "skimage", "python3 models.py resize {image}", ("input_too_large", "host_exhausted"), {"image": 7000, "above": "skimage.transform", "address": 1200},
        {name: {"image": "*0.5"} for name in ("smaller_input", "less_at_once", "smaller_pieces")}),
]

DNA = "tr -dc ACGT < /dev/urandom | head -c {rows}000 | fold -w 100 | awk 'BEGIN {{ print \">one\" }} 1' > genome.fa"
SAM = "(printf '@SQ\\tSN:one\\tLN:100000000\\n'; seq {rows} | awk '{{ printf \"read%d\\t0\\tone\\t%d\\t60\\t100M\\t*\\t0\\t0\\t\", $1, " \
      "100000000 - $1; for (i = 0; i < 100; i++) printf \"A\"; print \"\\t*\" }}') > reads.sam"
SCIENCE = [
    row("samtools-sort", "samtools", "samtools sort -@ {threads} -m {reserve}M -o sorted.bam reads.sam", NO_ROOM + ("workers_host_memory",),
        {"rows": 300000, "threads": 2, "reserve": 1500, "address": 2000, "setup": SAM}, LESS_LIMIT),
    row("minimap2-index", "minimap2", "minimap2 -t 1 -d genome.mmi genome.fa", ONE_JOB + ("input_too_large", "dataset_in_host_memory"),
        {"rows": 20000, "group": 180, "setup": DNA}),
    held("bedtools-intersect", "bedtools", "bedtools intersect -c -a few.bed -b all.bed > counts.txt",
        TABLE_HOST, {"rows": 600000, "address": 200, "setup": "seq {rows} | awk '{{ print \"one\\t\" $1 \"\\t\" $1 + 9 \"\\tread\" $1 }}' > all.bed; head all.bed > few.bed"}),
    ends("samtools-truncated", "samtools", "head -c 3000 /dev/urandom > reads.bam; samtools sort -o sorted.bam reads.bam", blind=True),
]

PART = "seq {rows} | awk 'BEGIN {{ print \"id,name\" }} {{ print $1 \",name\" (7 * $1) % 1000003 }}' > table.csv"
TOOLS = [
    held("hg-commit", "mercurial", "hg init repo && cp big repo && cd repo && hg add -q big && hg commit -u lab -m data", NO_ROOM,
        {"address": 250, "setup": "rm -rf repo; head -c 300000000 /dev/urandom > big"}),
    held("gm-cache", "graphicsmagick", "gm convert -limit memory {limit}MB -limit map {limit}MB -limit disk 0 -size {size} xc:red -blur 0x2 out.png",
        ("runtime_limit",), {"limit": 16, "size": "2400x2400"}, {**NAMED, "smaller_input": {"size": "500x500"}}),
    row("miller-sort", "miller", "mlr --icsv --ojson sort -nr name table.csv > sorted.json", ONE_JOB + ("dataset_in_host_memory",),
        {"rows": 350000, "group": 220, "setup": PART}),
    row("csvsort-table", "csvkit", "csvsort --no-inference -c name table.csv > sorted.csv", TABLE_HOST, {"rows": 400000, "address": 150, "setup": PART}),
    row("xsltproc-copy", "xsltproc", "xsltproc copy.xsl big.xml > out.xml", NO_ROOM + ("dataset_in_host_memory", "input_too_large"),
        {"rows": 600000, "address": 200, "setup": "seq {rows} | awk 'BEGIN {{ print \"<a>\" }} {{ print \"<b>\" $1 \"</b>\" }} END {{ print \"</a>\" }}' > big.xml; "
         "echo '<xsl:stylesheet version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"/>' > copy.xsl"}),
    row("sed-joined", "sed", "sed -n 'H;${{x;s/\\n/,/g;p}}' lines.txt > joined.txt", NO_ROOM, {"rows": 6000000, "address": 90, "setup": "seq {rows} > lines.txt"}),
    row("diff-files", "diff", "diff old.txt new.txt > changes.txt || test $? = 1", NO_ROOM, {"rows": 2500000, "address": 70,
        "setup": "seq {rows} > old.txt; seq 7 {rows} | sed 's/7$/8/' > new.txt"}),
    held("ghostscript-limit", "ghostscript", "gs -q -dBATCH -dNODISPLAY -K{limit}000 -c '/BATCH {batch} def /BATCHES {batches} def' -f load.ps",
        RUNTIME + ("host_leak",), {"batch": 100, "batches": 30, "limit": 60}, {**NAMED, "fix_leak": {"batches": 4}}),
    held("scrypt-limit", "openssl", "openssl kdf -keylen 32 -kdfopt pass:secret -kdfopt salt:salt -kdfopt n:{rows} -kdfopt r:8 -kdfopt p:1 "
        "-kdfopt maxmem_bytes:{limit}000000 SCRYPT", ("runtime_limit",), {"rows": 131072, "limit": 70},
        {**NAMED, "less_at_once": {"rows": "*0.25"}, "smaller_input": {"rows": "*0.25"}}),
    held("valgrind-address", "valgrind", "valgrind -q ./load_cc " + RECORDS, HOST, {**BIG, "batch": 16000, "address": 900}),
    held("qemu-memory", "qemu", "echo quit | qemu-system-x86_64 -m {reserve}M -display none -monitor stdio -nodefaults -accel tcg,tb-size=16",
        NO_ROOM + ("runtime_limit",), {"reserve": 3000, "address": 1800}, LESS_LIMIT),
    held("assembler-block", "binutils", "printf '.data\\n.incbin \"big\"\\n' > big.s; as big.s -o big.o", NO_ROOM, {"address": 300,
        "setup": "head -c 400000000 /dev/zero > big"}),
]

BUILDS = [
    row("ghc-heap", "haskell", "ghc -v0 -c Many.hs +RTS -M{heap}m -RTS", RUNTIME, {"rows": 1500, "heap": 60,
        "setup": "rm -f Many.*; make Many.hs ROWS={rows}"}, ROWS),
    held("ghc-group", "haskell", "ghc -v0 -c Many.hs", ONE_JOB, {"rows": 1200, "group": 130, "setup": "rm -f Many.*; make Many.hs ROWS={rows}"}, ROWS),
    held("cargo-group", "cargo", "cd crate && cargo build --offline --release", ONE_JOB,
        {"rows": 1200, "group": 160, "setup": "rm -rf crate many.rs; make crate/src/lib.rs ROWS={rows}"}),
    held("tsc-group", "typescript", "tsc --strict --declaration many.ts", ONE_JOB, {"rows": 9000, "group": 150, "setup": "rm -f many.ts; make many.ts ROWS={rows}"}),
    held("ant-javac", "ant", "ant -q -Dheap={heap}", RUNTIME + ("host_leak",), {"rows": 20000, "heap": 24, "setup": "rm -f Many.*; make Many.java ROWS={rows}"}),
    ends("ghc-type", "haskell", "echo 'main = putStrLn (1 + length \"rows\")' > bad.hs; ghc -v0 bad.hs"),
    ends("cargo-error", "cargo", "cargo build --offline --manifest-path bad/Cargo.toml", setup="mkdir -p bad/src; printf '[package]\\nname = \"bad\"\\n"
         "version = \"0.1.0\"\\nedition = \"2021\"\\n' > bad/Cargo.toml; echo 'pub fn rows() -> u32 {{ \"many\" }}' > bad/src/lib.rs"),
]

SERVICES = [
    row("mariadb-pool", "mariadb", "mariadbd --no-defaults --user=root --bootstrap --datadir=$PWD/maria --innodb-buffer-pool-size={reserve}M < /dev/null",
        NO_ROOM + ("runtime_limit",), {"reserve": 3000, "address": 1900,
        "setup": "rm -rf maria; mariadb-install-db --no-defaults --user=root --datadir=$PWD/maria --skip-test-db"}, LESS_LIMIT),
    row("tarantool-full", "tarantool", "tarantool space.lua {limit} {rows}", ("runtime_limit", "host_leak"), {"limit": 64, "rows": 1200}, {**NAMED, **ROWS}),
    held("basex-heap", "basex", "BASEX_JVM=-Xmx{heap}m basex 'sum(for $i in 1 to {rows} order by -$i return $i)'", RUNTIME, {"rows": 3000000, "heap": 40}, ROWS),
    held("celery-job", "celery", "python3 jobs.py {batch} 3", GROUP + ("workers_host_memory", "host_exhausted"), {"batch": 300, "group": 250}),
    row("nginx-zone", "nginx", "printf 'events {{}} http {{ limit_req_zone $binary_remote_addr zone=one:{reserve}m rate=1r/s; }}' > zone.conf; "
        "nginx -t -c $PWD/zone.conf", NO_ROOM + ("runtime_limit",), {"reserve": 2000, "address": 1200}, LESS_LIMIT),
    ends("mariadb-syntax", "mariadb", "echo 'CREATE TABEL rows (id INT);' | mariadbd --no-defaults --user=root --bootstrap --datadir=$PWD/maria",
         setup="rm -rf maria; mariadb-install-db --no-defaults --user=root --datadir=$PWD/maria --skip-test-db", blind=True),
    ends("tarantool-key", "tarantool", "echo 'box.cfg{{wal_mode=\"none\", work_dir=\".\"}} box.space.rows:insert{{1}}' > bad.lua; tarantool bad.lua", blind=True),
    ends("nginx-directive", "nginx", "echo 'events {{}} http {{ memory_zone one; }}' > bad.conf; nginx -t -c $PWD/bad.conf"),
    ends("qemu-image", "qemu", "qemu-system-x86_64 -m 64M -display none -drive file=disk.img,format=raw -accel tcg,tb-size=16"),
    ends("numba-type", "numba", "python3 models.py type 9"),
    ends("spark-path", "spark", "python3 -c 'from pyspark.sql import SparkSession as S; S.builder.master(\"local[1]\").getOrCreate().read.parquet(\"rows.parquet\")'", blind=True),
]

LATER_SCENARIOS = LANGUAGES + MATHEMATICS + SCIENCE + TOOLS + BUILDS + SERVICES
