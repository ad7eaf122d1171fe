"""A third batch of programs that none of the other scenarios runs. Their causes were written down before any of
them was run; which are held was drawn by chance before any report of them was read."""

from scenarios import HOST, LEAK, LOAD, RECORDS, RUNTIME
from scenarios_later import NAMED, NO_ROOM, ONE_JOB, ROWS
from scenarios_more import BIG, KEPT, LEAK_GROUP, TABLE, ends, held, row

SCHEME = "mit-scheme --quiet --heap {heap} --load load.mit.scm --args " + RECORDS + " < /dev/null"
PICTURE = ("input_too_large", "host_exhausted")
HALF_PICTURE = {name: {"image": "*0.5"} for name in ("smaller_input", "less_at_once", "smaller_pieces")}
LANGUAGES = [
    held("ada-batch", "ada", "./load_adb " + RECORDS, HOST, {**BIG, "address": 400}),
    held("ada-kept", "ada", "./load_adb " + RECORDS, LEAK_GROUP, {**KEPT, "group": 120}),
    held("cobol-table", "cobol", "sed s/ROWS/{rows}/ table.cob > run.cob && cobc -x run.cob && ./run", NO_ROOM + ("dataset_in_host_memory",),
        {"rows": 250000, "address": 230}, ROWS),
    held("rexx-batch", "rexx", "rexx ./load.rexx " + RECORDS, HOST, {**BIG, "address": 700}),
    row("rexx-kept", "rexx", "rexx ./load.rexx " + RECORDS, LEAK_GROUP, {**KEPT, "group": 120}),
    held("mit-heap", "mit-scheme", SCHEME, RUNTIME, {**LOAD, "batch": 800, "batches": 3, "heap": 16000}),
    row("mit-kept", "mit-scheme", SCHEME, LEAK, {**KEPT, "batches": 120, "heap": 9000}),
    row("jython-kept", "jython", "java -Xmx{heap}m -jar /usr/share/java/jython.jar load.jy.py " + RECORDS, LEAK,
        {**KEPT, "batch": 64, "batches": 60, "heap": 120}),
    held("chez-batch", "chez", "chezscheme --script load.ss " + RECORDS, HOST, {**BIG, "batch": 4000, "address": 800}),
    row("chez-kept", "chez", "chezscheme --script load.ss " + RECORDS, LEAK_GROUP, {**KEPT, "group": 150}),
    held("newlisp-cells", "newlisp", "newlisp -m {heap} load.newlisp.lsp " + RECORDS, RUNTIME, {**LOAD, "batch": 800, "batches": 3, "heap": 60}),
    held("gambit-heap", "gambit", "gsi -:h{heap}000 load.gambit.scm " + RECORDS, RUNTIME, {**LOAD, "batch": 1000, "batches": 3, "heap": 90}),
    held("luajit-batch", "luajit", "luajit load.lua " + RECORDS, HOST, {**BIG, "batch": 3000, "address": 750}),
    held("ecl-heap", "ecl", "ecl --heap-size {heap}000000 --shell load.ecl.lisp " + RECORDS + " < /dev/null | tee out.txt; grep -q done out.txt",
        RUNTIME, {**LOAD, "batch": 1000, "batches": 3, "heap": 55}),
    row("bison-depth", "bison", "awk 'BEGIN {{ for (i = 0; i < {rows}; i++) printf \"(\"; for (i = 0; i < {rows}; i++) printf \")\" }}' | ./deep_y",
        ("runtime_limit", "input_too_large"), {"rows": 20000}, ROWS),
    ends("ada-index", "ada", "./load_adb 8 5 wrong"),
    ends("rexx-number", "rexx", "rexx ./load.rexx 8 3 wrong"),
    ends("cobol-file", "cobol", "sed s/ROWS/400/ table.cob > run.cob && cobc -x run.cob && ./run read"),
]

MADE = "rm -f {0}; make -s {0} ROWS={{rows}}"
TOOLS = [
    row("gnuplot-surface", "gnuplot", "gnuplot -e 'set terminal dumb; set samples {rows}; set isosamples 100; splot x*y' > surface.txt",
        NO_ROOM + ("input_too_large",), {"rows": 20000, "address": 250}, ROWS),
    row("rsync-alloc", "rsync", "rsync -r --max-alloc={limit}K many/ copy/", ("runtime_limit",), {"rows": 160000, "limit": 1100,
        "setup": "rm -rf many copy; mkdir many; cd many; seq {rows} | xargs touch"}, {**NAMED, **ROWS}),
    held("netpbm-flip", "netpbm", "ppmmake red {image} {image} | pamflip -topbottom > out.ppm", PICTURE, {"image": 3000, "address": 150}, HALF_PICTURE),
    row("lrzip-window", "lrzip", "lrzip -q -p 1 {window} -f random -o out.lrz", NO_ROOM, {"window": "", "address": 120,
        "setup": "head -c 8000000 /dev/urandom > random"}, {"low_memory_mode_host": {"window": "-w 1 -L 1"}}),
    row("yosys-memory", "yosys", "yosys -q -p 'read_verilog chip.v; proc; memory_map; opt'", PICTURE,
        {"rows": 4000, "address": 300, "setup": MADE.format("chip.v")}, ROWS),
    held("plink-distance", "plink", "plink1.9 --dummy {rows} 500 --distance --memory {limit} --out dummy", ("runtime_limit",),
        {"rows": 2500, "limit": 64}, {**NAMED, **ROWS}),
    held("lpsolve-model", "lp_solve", "lp_solve -S3 -parse model.lp", NO_ROOM + ("input_too_large",), {"rows": 700, "address": 40,
        "setup": "awk 'BEGIN {{ printf \"min: \"; for (i = 0; i < {rows}; i++) printf \"+x%d \", i; print \";\"; for (i = 0; i < {rows}; i++) "
        "{{ for (j = 0; j < {rows}; j++) printf \"+%d x%d \", (i * j) % 7 + 1, j; print \">= 1;\" }} }}' > model.lp"}, ROWS),
    ends("povray-parse", "povray", "echo 'sphere {{ 0, 1' > bad.pov; povray -D -V +Ibad.pov"),
    ends("iverilog-syntax", "iverilog", "echo 'module chip(input clk; endmodule' > bad.v; iverilog -o bad.vvp bad.v", blind=True),
    ends("rsync-missing", "rsync", "rsync -r nowhere/ copy/"),
    ends("haproxy-keyword", "haproxy", "printf 'global\\n    memory 64\\n' > bad.cfg; haproxy -c -f bad.cfg"),
]

BUILDS = [
    row("javadoc-heap", "javadoc", "javadoc -quiet -J-Xmx{heap}m -d doc Doc.java", RUNTIME, {"rows": 4000, "heap": 32,
        "setup": MADE.format("Doc.java")}, ROWS),
    row("terser-heap", "terser", "NODE_OPTIONS=--max-old-space-size={heap} terser many.js -c -m -o min.js", RUNTIME,
        {"rows": 15000, "heap": 60, "setup": MADE.format("many.js")}, ROWS),
    held("terser-group", "terser", "terser many.js -c -m -o min.js", ONE_JOB, {"rows": 20000, "group": 200, "setup": MADE.format("many.js")}, ROWS),
    ends("scalac-type", "scala", "echo 'object Bad {{ val rows: Int = \"many\" }}' > Bad.scala; scalac -d . Bad.scala", blind=True),
]

LIBRARIES = [
    row("h2-heap", "h2", "java -Xmx{heap}m -cp /usr/share/java/h2.jar org.h2.tools.Shell -url jdbc:h2:mem:lab -sql "
        "\"SELECT LENGTH(GROUP_CONCAT(X || REPEAT('y', 200))) FROM SYSTEM_RANGE(1, {rows})\" | tee out.txt; ! grep -q Error out.txt", RUNTIME, {"rows": 150000, "heap": 60}, ROWS),
    row("opencv-picture", "opencv", "python3 sheets.py picture {image}", PICTURE, {"image": 16000, "above": "cv2", "address": 400}, HALF_PICTURE),
    held("openpyxl-sheet", "openpyxl", "python3 sheets.py sheet {rows}", LEAK_GROUP + ("dataset_in_host_memory",), {"rows": 120000, "above": "openpyxl", "group": 100},
        {**ROWS, "fix_leak": {"rows": "*0.2"}}),
    held("lxml-document", "lxml", "python3 sheets.py document {rows}", TABLE + ("host_exhausted",), {"rows": 700000, "above": "lxml.etree", "group": 150}, ROWS),
]

THIRD_SCENARIOS = LANGUAGES + TOOLS + BUILDS + LIBRARIES
