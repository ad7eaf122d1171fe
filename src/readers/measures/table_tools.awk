# table.tools to rows of od_table_tool.
BEGIN { FS = " [|] " }
NF == 3 {
    n = split($1, words, " ")
    must = ""
    for (i = 1; i <= n; i++)
        must = must "{\"" words[i] "\", " length(words[i]) "}, "
    rows = ""
    n = split($2, words, " ")
    for (i = 1; i <= n; i++) {
        eq = index(words[i], "=")
        key = eq ? substr(words[i], 1, eq - 1) : words[i]
        value = !eq ? "true" : key == "shift" ? substr(words[i], eq + 1) : "\"" substr(words[i], eq + 1) "\""
        gsub(/,/, " ", value)
        rows = rows "." key " = " value ", "
    }
    names = ""
    n = split($3, words, " ")
    for (i = 1; i <= n; i++) {
        match(words[i], /=[a-z_]*$/)
        names = names "{\"" substr(words[i], 1, RSTART - 1) "\", OD_F_" toupper(substr(words[i], RSTART + 1)) "}, "
    }
    print "{.must = {" must "}, " rows ".names = {" names "}},"
}
