# rules/words/places.yaml -> rows of struct place (places.c); with -v words=1 the words that they are found by, for words.c. A row that it
# does not understand ends the build. They are sorted by their first letter, heads of lines first. {a,b} stands for
# a row of each. Slots become bytes beyond ASCII.
function fail(why) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0 > "/dev/stderr"
    failed = 1
    exit 1
}
BEGIN {
    n = split("user host machine counted login nodes list ids org company names uuid account secret token address pin serial n pid w any is key stamp end opened site args arg chance pair hosts phone time rest marked tag header owner node share size at job date tty state priority mode ended file type", slot, " ")
    for (i = 1; i <= n; i++)
        code[slot[i]] = sprintf("\\%03o\"\"", i + 127)
    code["pipe"] = "|"
}
function slots(row, name) {
    while (match(row, /\{[a-z]+\}/)) {
        name = substr(row, RSTART + 1, RLENGTH - 2)
        if (!(name in code))
            fail("unknown: " name)
        row = substr(row, 1, RSTART - 1) code[name] substr(row, RSTART + RLENGTH)
    }
    return row
}
function take(row, head, back, half, word, lower) {
    head = sub(/^\^/, "", row)
    back = ""
    if (split(row, half, "|") == 2) {
        back = half[1]
        row = half[2]
    }
    if (!head && !match(row, /^[A-Za-z0-9]+/))
        fail("no word to find it by")
    word = head ? 0 : RLENGTH
    lower = tolower(substr(row, 1, word))
    if (!head && words && !(lower in seen)) {
        seen[lower]
        printf "    {\"%s\", OD_ROLE_SAID},\n", lower
    }
    lower = head ? "^" : substr(lower, 1, 1)
    if (!words)
        rows[lower] = rows[lower] sprintf("    {\"%s\", \"%s\", %d, %s},\n", slots(back), slots(row), word,
            row ~ /\{(args|header|marked)\}/ ? "COMMAND" : index(row, "{rest}") ? "WRAPPER" : "NAME")
}
# Of a row with "{a,b}", a row of each.
function expand(row, before, after, each, i, n) {
    if (!match(row, /\{[^{}]*,[^{}]*\}/)) {
        take(row)
        return
    }
    before = substr(row, 1, RSTART - 1)
    after = substr(row, RSTART + RLENGTH)
    n = split(substr(row, RSTART + 1, RLENGTH - 2), each, ",")
    for (i = 1; i <= n && !failed; i++)
        expand(before each[i] after)
}
/^ *(#|$)/ || /^places:$/ { next }
{
    row = $0
    if (!sub(/^  - "/, "", row) || !sub(/"$/, "", row))
        fail("no row")
    expand(row)
}
END {
    if (!failed && gsub(/\n/, "&", rows["^"]) > 192)
        fail("more heads of lines than struct od_heads has bits for")
    for (i = 1; i <= 37 && !words && !failed; i++)
        printf "%s", rows[substr("^0123456789abcdefghijklmnopqrstuvwxyz", i, 1)]
}
