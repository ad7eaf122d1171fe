# rules/words/enforcers.yaml -> rows of struct od_enforcer (rules/enforcers.h). One key a line; a list
# is in brackets. What it does not know ends the build. Examples are for the tests.
function fail(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}
function quoted(text) {
    gsub(/^'|'$/, "", text)
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
function list(text,    n, i, part, out) {
    if (text !~ /^\[.*\]$/)
        fail("a list is in brackets: " text)
    n = split(substr(text, 2, length(text) - 2), part, / *, */)
    for (i = 1; i <= n; i++)
        out = out quoted(part[i]) ", "
    return "(const char *const[]){" out "NULL}"
}
function close_row() {
    if (row != "")
        print "{" row "},"
    row = ""
}
/^[ \t]*(#|$)/ || /^enforcers:$/ { next }
{
    line = $0
    if (sub(/^  - id: /, "", line)) {
        close_row()
        if (line in seen)
            fail("twice: " line)
        seen[line]
        row = ".id = " quoted(line) ", "
        next
    }
    if (row == "" || !match(line, /^    [a-z]+: /))
        fail("no key: " line)
    key = substr(line, 5, RLENGTH - 6)
    value = substr(line, RLENGTH + 1)
    if (key == "example")
        next
    if (key == "does" && value !~ /^(kills|refuses|evicts|restarts|asks, then kills)$/)
        fail("does what: " value)
    if (key == "by" && value !~ /^(docker|kubernetes|slurm|systemd|another)$/)
        fail("by whom: " value)
    if (key ~ /^(kinds|producers|groups|path|words|said)$/)
        row = row "." key " = " list(value) ", "
    else if (key ~ /^(who|limited|acts|reached|why|first|counts|lever|ask|tells|does|by)$/)
        row = row "." key " = " quoted(value) ", "
    else if (key ~ /^(scope|record)$/)
        row = row "." key " = OD_" (key == "record" ? "SETTING" : toupper(key)) "_" toupper(value) ", "
    else if (key ~ /^(shared|certain|tiny|room|windows)$/ && value == "true")
        row = row "." key " = true, "
    else
        fail("unknown key: " key)
}
END {
    if (!failed)
        close_row()
}
