# Lists of phrases to C (base/phrases.h). A line is "list: phrase | phrase ...", in small letters;
# "> name: ..." is a list of what means the name; "= name: ..." is an array of texts as they are.
function add(name, text) {
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
END {
    for (i = 1; i < 256; i++)
        byte[sprintf("%c", i)] = i
    for (i = 2; i <= n; i++) {
        text = sorted[i]
        for (j = i; j > 1 && sorted[j - 1] > text; j--)
            sorted[j] = sorted[j - 1]
        sorted[j] = text
    }
    for (i = 1; i <= narrays; i++)
        printf "static const char *const %s[] = {\n%s    NULL};\n", order[i], texts[order[i]]
    printf "enum { %sMEANT };\nstatic const char *const meant[] = {\n%s};\n", lists, meant
    printf "static const struct od_phrase all[] = {\n"
    for (i = 1; i <= n; i++) {
        printf "    {\"%s\", %d, %s},\n", sorted[i], length(sorted[i]), in_list[sorted[i]]
        first = byte[substr(sorted[i], 1, 1)]
        if (!(first in from))
            from[first] = i - 1
        end[first] = i
        second[first, byte[substr(sorted[i], 2, 1)] % 32] = 1
        alone[first] = alone[first] || length(sorted[i]) == 1
    }
    printf "};\nstatic const struct od_phrase_table phrases = {all, {\n"
    for (first = 1; first < 256; first++) {
        if (!(first in from))
            continue
        bits = 0
        for (i = 0; i < 32; i++)
            bits += (alone[first] || (first, i) in second) * 2 ^ i
        printf "    [%d] = {%d, %d, %.0fU},\n", first, from[first], end[first], bits
    }
    printf "}};\n"
}
