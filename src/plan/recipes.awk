# rules/words/recipes.yaml -> two tables of plan/recipe_rows.c: OD_RECIPE_PROGRAMS and OD_RECIPE_ROWS. What
# it does not know ends the build.
function fail(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}
function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
function trimmed(text) {
    gsub(/^ +| +$/, "", text)
    return text
}
# "bf16=true" -> a key and the values that it may have
function condition(name, text,    at) {
    text = trimmed(text)
    at = index(text, "=")
    return "." name "key = " quoted(at ? substr(text, 1, at - 1) : text) ", " \
           (at ? "." name "values = " quoted(substr(text, at + 1)) ", " : "")
}
function add_row(key, value,    at, row) {
    at = index(key, " & ")
    if (key != "")
        row = condition("", at ? substr(key, 1, at - 1) : key)
    if (at)
        row = row condition("other_", substr(key, at + 3))
    if (sub(/^uncounted, /, "", value))
        rows = rows "{" row ".unread = " quoted(value) "},\n"
    else if (value == "none")
        rows = rows "{" row "},\n"
    else {
        if (sub(/^\+/, "", value))
            row = row ".adds = true, "
        at = index(value, "=")
        row = row ".knob = " quoted(at ? substr(value, 1, at - 1) : value) ", "
        rows = rows "{" row (at ? ".value = " quoted(substr(value, at + 1)) : "") "},\n"
    }
    nrows++
}
function close_program() {
    if (name != "")
        programs = programs "{" program ".first = " first ", .n = " nrows - first "},\n"
    name = ""
}
/^ *(#|$)/ { next }
/^memory: / {
    memory = substr($0, 9)
    next
}
/^[a-z]+:$/ {
    close_program()
    name = substr($0, 1, length($0) - 1)
    first = nrows + 0
    program = ".id = " quoted(name) ", "
    next
}
/^  (title|uses|marks|commands): / {
    match($0, /^  [a-z]+/)
    program = program "." substr($0, 3, RLENGTH - 2) " = " quoted(substr($0, RLENGTH + 3)) ", "
    next
}
/^  always: / {
    n = split(substr($0, 11), part, " ")
    for (i = 1; i <= n; i++)
        add_row("", part[i])
    next
}
/^  keys:$/ { next }
/^    [^ ].*: / {
    at = match($0, /: [^:]*$/)
    add_row(trimmed(substr($0, 1, at - 1)), trimmed(substr($0, at + 2)))
    next
}
{ fail("no key: " $0) }
END {
    if (failed)
        exit 1
    close_program()
    printf "static const struct od_recipe_program programs[] = {\n%s};\n", programs
    printf "static const struct od_recipe_row rows[] = {\n%s};\n", rows
    printf "static const char memory_words[] = %s;\n", quoted(memory)
}
