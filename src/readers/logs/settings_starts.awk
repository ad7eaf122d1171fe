# setting_keys.def to its rows in groups, by their first two letters: "~" is what is no letter, or is the end. A blank
# there may be nothing: such a row is in two groups. Each gets the first four bytes of its first word, the first one
# lowest, and which of them count. With starts=1 its output to where each group begins.
BEGIN {
    for (i = 32; i < 127; i++)
        hex[sprintf("%c", i)] = sprintf("%02x", i)
}
function headed(row,    i, c, bytes, mask) {
    for (i = 1; i <= 4 && (c = substr($2, i, 1)) != " " && c != ""; i++) {
        bytes = hex[c] bytes
        mask = "ff" mask
    }
    sub(/\(/, "(0x" bytes ", 0x" mask ", ", row)
    return row
}
starts { n[substr($0, 4, 2)]++; next }
/^OD_SETTING_KEY\("/ {
    first = substr($2, 1, 1); second = substr($2, 2, 1)
    print "/* " first (second ~ /[a-z]/ ? second : "~") " */ " headed($0)
    if (second == " ")
        print "/* " first substr($2, 3, 1) " */ " headed($0)
}
END {
    letters = "abcdefghijklmnopqrstuvwxyz~"
    for (i = 1; starts && i <= 26; i++)
        for (k = 1; k <= 27; k++) {
            print from + 0 ","
            from += n[substr(letters, i, 1) substr(letters, k, 1)]
        }
    if (starts)
        print from
}
