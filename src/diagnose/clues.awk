# weights.def, then the sources that name signs: each sign once, with what it weighs (0: not calibrated yet).
FNR == 1 { files++ }
files == 1 && /^OD_WEIGHT\(/ {
    split($0, part, /[(,) ]+/)
    weight[part[2] ", " part[3]] = part[4]
}
files > 1 { text = text " " $0 }
END {
    gsub(/[ \t]+/, " ", text)
    while (match(text, /OD_CLUE\( ?[A-Z_0-9]+, [a-z_0-9]+\)/)) {
        sign = substr(text, RSTART + 8, RLENGTH - 9)
        sub(/^ /, "", sign)
        text = substr(text, RSTART + RLENGTH)
        if (!(sign in seen))
            print "OD_WEIGHT(" sign ", " (sign in weight ? weight[sign] : "0") ")"
        seen[sign]
    }
}
