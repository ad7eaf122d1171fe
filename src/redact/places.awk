# rules/words/places.yaml -> rows of struct place (places.c); with -v words=1 the words that they are found by, for words.c. A row that it
# does not understand ends the build. They are sorted by their first letter, heads of lines first. Slots become bytes below a blank.
function fail(why) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0 > "/dev/stderr"
    failed = 1
    exit 1
}
BEGIN {
    n = split("user host machine counted numbered login nodes list ids org group company names uuid account secret token address pin serial n pid w any is key stamp day end opened site", slot, " ")
    for (i = 1; i <= n; i++)
        code[slot[i]] = sprintf("\\%03o", i)
}
/^ *(#|$)/ || /^places:$/ { next }
{
    row = $0
    if (!sub(/^  - "/, "", row) || !sub(/"$/, "", row))
        fail("no row")
    head = sub(/^\^/, "", row)
    back = ""
    if (split(row, half, "|") == 2) {
        back = half[1]
        row = half[2]
    }
    if (!head && !match(row, /^[A-Za-z0-9]+/))
        fail("no word to find it by")
    word = head ? 0 : RLENGTH
    if (!head && words && !(tolower(substr(row, 1, word)) in seen)) {
        seen[tolower(substr(row, 1, word))]
        printf "    {\"%s\", OD_ROLE_SAID},\n", tolower(substr(row, 1, word))
    }
    if (words || failed)
        next
    row = back "|" row
    while (match(row, /\{[a-z]+\}/)) {
        name = substr(row, RSTART + 1, RLENGTH - 2)
        if (!(name in code))
            fail("unknown: " name)
        row = substr(row, 1, RSTART - 1) code[name] "\"\"" substr(row, RSTART + RLENGTH)
    }
    split(row, half, "|")
    letter = head ? "^" : tolower(substr(half[2], 1, 1))
    rows[letter] = rows[letter] sprintf("    {\"%s\", \"%s\", %d},\n", half[1], half[2], word)
}
END {
    for (i = 1; i <= 37 && !words && !failed; i++)
        printf "%s", rows[substr("^0123456789abcdefghijklmnopqrstuvwxyz", i, 1)]
}
