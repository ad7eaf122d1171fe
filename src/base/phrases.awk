# Lists of phrases to C (base/phrases.h). A line is "list: phrase | phrase ...", in small letters;
# "> name: ..." is a list of what means the name; "= name: ..." is an array of texts as they are.
function add(name, text) {
    if (length(text) < 2)
        exit 1
    if (!(text in in_list))
        sorted[++n] = text
    if (!((text, name) in had))
        in_list[text] = in_list[text] (in_list[text] ? " | " : "") "OD_LIST(" name ")"
    had[text, name] = 1
}
/^#/ || NF == 0 { next }
{
    kind = $0 ~ /^[=>] / ? substr($0, 1, 1) : ""
    sub(/^[=>] /, "")
    name = substr($0, 1, index($0, ":") - 1)
    many = split(substr($0, index($0, ":") + 2), phrase, / \| /)
    if (kind == ">" && !(name in number)) {
        number[name] = nmeant++
        meant = meant "    \"" name "\",\n"
    } else if (kind == "" && !(name in number)) {
        number[name] = 1
        lists = lists toupper(name) ", "
    } else if (kind == "=" && !(name in texts)) {
        order[++narrays] = name
    }
    for (i = 1; i <= many; i++)
        if (kind == "=")
            texts[name] = texts[name] "    \"" phrase[i] "\",\n"
        else
            add(kind == ">" ? "MEANT + " number[name] : toupper(name), phrase[i])
}
function bucket(text) {
    return byte[substr(text, 1, 1)] % 32 * 32 + byte[substr(text, 2, 1)] % 32
}
# What of the first four bytes counts, and those bytes, the first one lowest.
function head(text,    i, bytes, mask) {
    for (i = 1; i <= 4 && i <= length(text); i++) {
        bytes = sprintf("%02x", byte[substr(text, i, 1)]) bytes
        mask = "ff" mask
    }
    return "0x" bytes ", 0x" mask
}
END {
    for (i = 1; i < 256; i++)
        byte[sprintf("%c", i)] = i
    for (i = 1; i <= n; i++)
        many_in[bucket(sorted[i])]++
    for (i = 1; i <= narrays; i++)
        printf "static const char *const %s[] = {\n%s    NULL};\n", order[i], texts[order[i]]
    if (n == 0)
        exit
    printf "enum { %sMEANT };\nstatic const char *const meant[] = {\n%s};\n", lists, meant
    printf "static const struct od_phrase all[] = {\n"
    for (at = 0; at < 1024; at++)
        for (i = 1; at in many_in && i <= n; i++)
            if (bucket(sorted[i]) == at)
                printf "    {\"%s\", %s, %d, %s},\n", sorted[i], head(sorted[i]), length(sorted[i]), in_list[sorted[i]]
    printf "};\nstatic const struct od_phrase_table phrases = {all, {0"
    for (at = from = 0; at < 1024; at++)
        printf ", %d", from += many_in[at]
    printf "}};\n"
}
