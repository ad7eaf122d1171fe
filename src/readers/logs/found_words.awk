# found.words to C: a list of phrases each, and what the words of a handle mean.
/^#/ || NF == 0 { next }
{
    turn = sub(/^> /, "")
    name = substr($0, 1, index($0, ":") - 1)
    n = split(substr($0, index($0, ":") + 2), phrase, / \| /)
    if (!turn && !(name in list))
        order[++lists] = name
    for (i = 1; i <= n; i++)
        if (turn)
            meant = meant "    {\"" phrase[i] "\", \"" name "\"},\n"
        else
            list[name] = list[name] "    \"" phrase[i] "\",\n"
}
END {
    for (i = 1; i <= lists; i++)
        printf "static const char *const %s[] = {\n%s    NULL};\n", order[i], list[order[i]]
    printf "static const struct {\n    const char *words, *knob;\n} meant[] = {\n%s};\n", meant
}
