# A schema with its tables filled in: awk -f schema.awk causes.def fields.def SCHEMA.
# "@causes@" becomes the names of the causes; "@RECORD@" in a list the keys of that record, and
# "@RECORD@": {} among properties a property for each of its fields.
BEGIN {
    text = "{\"type\": [\"string\", \"null\"]}"
    whole = "{\"type\": [\"integer\", \"null\"], \"minimum\": 0}"
    value["TEXT"] = value["WORD"] = text
    value["NAME"] = "{\"type\": \"string\"}"
    value["COUNT"] = value["BYTES"] = whole
    value["LINE"] = "{\"type\": [\"integer\", \"null\"], \"minimum\": 1}"
    value["NUMBER"] = "{\"type\": [\"number\", \"null\"]}"
    value["TRI"] = "{\"type\": [\"boolean\", \"null\"]}"
    value["SHAPE"] = "{\"type\": [\"array\", \"null\"], \"items\": " whole "}"
    range = "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}, \"minItems\": 2, \"maxItems\": 2}"
}

function quoted(name) { return "\"" name "\"" }

function comma(list) { return list == "" ? "" : ", " }

# OD_FIELD(record, key, kind, "schema", "words")
function take(row,   parts, names, record, key, schema) {
    split(row, parts, "\"")
    split(parts[1], names, /[(,] */)
    record = names[2]; key = names[3]
    schema = parts[2] == "" ? value[names[4]] : "{\"$ref\": " quoted("#/$defs/" parts[2]) "}"
    if (parts[4] != "")
        sub(/^\{/, "{\"description\": " quoted(parts[4]) ", ", schema)
    keys[record] = keys[record] comma(keys[record]) quoted(key)
    if (names[4] == "BYTES")
        schema = schema ",\n" quoted(key "_range") ": " range
    fields[record] = fields[record] (fields[record] == "" ? "" : ",\n") quoted(key) ": " schema
}

FILENAME ~ /causes\.def$/ {
    if (sub(/^OD_CAUSE\(/, "")) {
        sub(/,.*/, "")
        keys["causes"] = keys["causes"] comma(keys["causes"]) quoted($0)
    }
    next
}

FILENAME ~ /fields\.def$/ {
    row = row $0
    if (row !~ /^OD_FIELD\(/)
        row = ""
    else if (row ~ /\)$/) {
        take(row)
        row = ""
    }
    next
}

{
    while (match($0, /"@[a-z]+@"(: [{][}])?/)) {
        mark = substr($0, RSTART, RLENGTH)
        name = mark
        gsub(/["@:{} ]/, "", name)
        with = mark ~ /:/ ? fields[name] : keys[name]
        indent = sprintf("\n%" (RSTART - 1) "s", "")
        gsub(/\n/, indent, with)
        $0 = substr($0, 1, RSTART - 1) with substr($0, RSTART + RLENGTH)
    }
    print
}
