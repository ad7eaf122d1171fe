# rules/words/headlines.yaml and answers.yaml -> rows of texts. facts.def and the .def file of the
# texts are read first: a slot is a fact, a condition or a value of its rows, or another text. What is
# none of these ends the build.
BEGIN {
    given["incident"] # text_of in headline.c knows these two
    given["room_first"]
}
function fail(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}
function check_slots(line,    slot) {
    while (match(line, /\{[^}]*\}/)) {
        slot = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        sub(/ .*/, "", slot)
        sub(/\?$/, "", slot)
        used[slot] = FNR
    }
}
FILENAME ~ /facts\.def$/ { # what the failure's profile knows
    if (match($0, /^OD_FACT\([a-z_]+, [A-Z_]+, (TRUTH|BYTES|COUNT|TEXT),/)) {
        split(substr($0, RSTART + 8, RLENGTH - 8), row, ", *")
        fact[(row[3] == "TRUTH" ? "?" : "") row[1]]
    }
    next
}
FILENAME ~ /\.def$/ {
    if (match($0, /^[A-Z]+(_IF|_SIZE|_COUNT)?\([a-z_]+/)) {
        n = split(substr($0, RSTART, RLENGTH), row, "(")
        given[(row[1] ~ /_IF$/ ? "?" : "") row[n]]
    }
    next
}
/^[ \t]*(#|$)/ || /^(headlines|answers):$/ { next }
/^  [a-z_]+: \|$/ {
    name = substr($1, 1, length($1) - 1)
    if (name in given)
        fail("twice: " name)
    given[name]
    printf "%s{\"%s\",", rows++ ? "},\n" : "", name
    next
}
/^    / && rows {
    check_slots($0)
    text = substr($0, 5)
    gsub(/[\\"]/, "\\\\&", text)
    printf "\n \"%s\\n\"", text
    next
}
{ fail("neither a name nor a line of a text") }
END {
    if (failed)
        exit 1
    print "},"
    for (slot in used)
        if (!(slot in given) && !(slot in fact)) {
            FNR = used[slot]
            fail("no slot: " slot)
        }
}
