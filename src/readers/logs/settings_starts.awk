# The sorted rows of setting_keys.def to an index: of each first letter where its rows begin, how
# many there are, and a bit for each letter that may be the second one; the 27th is for all others.
function letter(c) { return index("abcdefghijklmnopqrstuvwxyz", c) - 1 }
function may(first, second) { seconds[first, second] = 1 }
{
    first = letter(substr($2, 1, 1)); second = substr($2, 2, 1)
    if (!(first in n))
        from[first] = NR - 1
    n[first]++
    if (second ~ /[a-z]/)
        may(first, letter(second))
    else
        may(first, 26)
    if (second == " ") # which may be nothing
        may(first, letter(substr($2, 3, 1)))
}
END {
    for (first = 0; first < 26; first++) {
        bits = 0
        for (i = 0; i <= 26; i++)
            bits += seconds[first, i] * 2 ^ i
        printf "{%d, %d, %d},\n", from[first], n[first], bits
    }
}
