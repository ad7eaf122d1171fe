# A schema with its tables filled in: awk -f schema.awk causes.def fields*.def SCHEMA.
# "@causes@" becomes the names of the causes. Of a record of fields.def: "@RECORD@" in a list, its
# keys; "@RECORD@": {} among properties, a property for each of its fields; "@objects of RECORD@": {}
# among $defs, the record and every record that it contains.
BEGIN {
    whole = "{\"type\": [\"integer\", \"null\"], \"minimum\": 0}"
    two = ", \"items\": {\"type\": \"integer\", \"minimum\": 0}, \"minItems\": 2, \"maxItems\": 2}"
    value["TEXT"] = value["WORD"] = "{\"type\": [\"string\", \"null\"]}"
    value["NAME"] = "{\"type\": \"string\"}"
    value["COUNT"] = value["BYTES"] = value["PREDICTED"] = whole
    value["U64"] = "{\"type\": \"integer\", \"minimum\": 0}"
    value["LINE"] = "{\"type\": [\"integer\", \"null\"], \"minimum\": 1}"
    value["NUMBER"] = "{\"type\": [\"number\", \"null\"]}"
    value["DOUBLE"] = "{\"type\": \"number\"}"
    value["TRI"] = "{\"type\": [\"boolean\", \"null\"]}"
    value["BOOL"] = "{\"type\": \"boolean\"}"
    value["SHAPE"] = "{\"type\": [\"array\", \"null\"], \"items\": " whole "}"
    value["RANGE"] = "{\"type\": [\"array\", \"null\"]" two
    range = "{\"type\": \"array\"" two
}

function quoted(name) { return "\"" name "\"" }

function comma(list) { return list == "" ? "" : ", " }

function ref(name) { return "{\"$ref\": " quoted("#/$defs/" name) "}" }

function property(record, key, schema, words, needed) {
    if (words != "")
        sub(/^\{/, "{\"description\": " quoted(words) ", ", schema)
    if (needed)
        keys[record] = keys[record] comma(keys[record]) quoted(key)
    fields[record] = fields[record] (fields[record] == "" ? "" : ",\n") quoted(key) ": " schema
}

# OD_FIELD(record, key, kind, "schema", "words", value) and the other rows of fields.def
function take(row,   parts, names, what, record, key, kind, schema, list, needed) {
    while (sub(/" +"/, "", row)) # two parts of one text
        ;
    split(row, parts, "\"")
    split(parts[1], names, /[(,] */)
    what = names[1]; record = names[2]; key = names[3]; kind = names[4]
    needed = optional != record " " key
    if (what == "OD_RECORD")
        return
    if (what == "OD_WHEN") {
        optional = record " " key
        return
    }
    if (what == "OD_LINE")
        property(record, "line", value["LINE"], "", 1)
    if (what == "OD_LINE" || what == "OD_SOURCE") {
        property(record, "source", value["U64"],
                 "Index into inputs (0 is the first); there when the run has several inputs.", 0)
    } else if (what == "OD_FIELD" || what == "OD_VALUE") {
        property(record, key, parts[2] == "" ? value[kind] : ref(parts[2]), parts[4], needed)
        if (kind == "BYTES")
            property(record, key "_range", range, "", 0)
        if (kind == "PREDICTED")
            property(record, key "_range", value["RANGE"], "", needed)
    } else if (what == "OD_CUSTOM") {
        property(record, key, ref(parts[2]), parts[4], needed)
    } else if (what == "OD_TEXTS") {
        property(record, key, "{\"type\": \"array\", \"items\": " value["NAME"] "}", parts[2], needed)
    } else {
        children[record] = children[record] " " kind
        schema = ref(kind)
        list = what ~ /LIST|SOME/
        if (list)
            schema = "{\"type\": " (what == "OD_LIST_IF" ? "[\"array\", \"null\"]" : "\"array\"") \
                ", \"items\": " schema "}"
        else if (what == "OD_MAYBE")
            schema = "{\"anyOf\": [" schema ", {\"type\": \"null\"}]}"
        property(record, key, schema, parts[2], needed && what != "OD_PRESENT" && what != "OD_SOME")
    }
}

# The row ends where its brackets close, texts apart.
function is_open(row) {
    gsub(/"[^"]*"/, "", row)
    return gsub(/[(]/, "", row) > gsub(/[)]/, "", row)
}

# The records that one contains, and itself, as definitions.
function objects(root,   todo, n, i, parts, k, all, record, seen) {
    todo[n = 1] = root
    for (i = 1; i <= n; i++) {
        record = todo[i]
        if (seen[record]++)
            continue
        all = all (all == "" ? "" : ",\n") quoted(record) ": {\n  \"type\": \"object\",\n" \
            "  \"required\": [" keys[record] "],\n  \"properties\": {\n    " \
            indented(fields[record], "    ") "\n  },\n  \"additionalProperties\": false\n}"
        k = split(children[record], parts, " ")
        for (; k > 0; k--)
            todo[++n] = parts[k]
    }
    return all
}

function indented(text, indent) {
    gsub(/\n/, "\n" indent, text)
    return text
}

FILENAME ~ /causes\.def$/ {
    if (sub(/^OD_CAUSE\(/, "")) {
        sub(/,.*/, "")
        keys["causes"] = keys["causes"] comma(keys["causes"]) quoted($0)
    }
    next
}

FILENAME ~ /fields[a-z_]*\.def$/ {
    sub(/^ +/, "")
    row = row (row == "" ? "" : " ") $0
    if (row !~ /^OD_[A-Z_]+\(/ || row ~ /^OD_RECORD_END/) {
        row = ""
    } else if (!is_open(row)) {
        take(row)
        row = ""
    }
    next
}

{
    while (match($0, /"@[a-z_ ]+@"(: [{][}])?/)) {
        mark = substr($0, RSTART, RLENGTH)
        name = mark
        gsub(/["@:{} ]|objects of /, "", name)
        with = mark ~ /objects of/ ? objects(name) : mark ~ /:/ ? fields[name] : keys[name]
        with = indented(with, sprintf("%" (RSTART - 1) "s", ""))
        $0 = substr($0, 1, RSTART - 1) with substr($0, RSTART + RLENGTH)
    }
    print
}
