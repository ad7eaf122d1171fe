# Writes oomdoctor-facts(5) from the rows of src/rules/facts.def.
BEGIN {
    print ".Dd November 29, 2026"
    print ".Dt OOMDOCTOR-FACTS 5"
    print ".Os"
    print ".Sh NAME"
    print ".Nm oomdoctor-facts"
    print ".Nd facts that conditions of oomdoctor ask for"
    print ".Sh DESCRIPTION"
    print "The conditions of causes, remedies and programs ask for these facts of a failure."
    print "Each is yes, no or a value, or unknown where the log does not show it;"
    print "a condition about an unknown fact is undecided, which is not yes."
    print ".Xr oomdoctor 1"
    print "shows them with"
    print ".Fl -trace ."
}
function close_list() { if (listed) print ".El"; listed = 0 }
# The strings of a row, without their quotes: n of them in part[].
function strings(row,    s) {
    n = 0
    gsub(/\\"/, "\001", row)
    while (match(row, /"[^"]*"/)) {
        s = substr(row, RSTART + 1, RLENGTH - 2)
        gsub(/\001/, "\"", s)
        part[++n] = s
        row = substr(row, RSTART + RLENGTH)
    }
}
function add(row,    name, type, i, condition) {
    name = row
    sub(/^OD_[A-Z]*\(/, "", name)
    split(name, field, /, */)
    strings(row)
    type = row ~ /^OD_DERIVED/ ? "condition" : tolower(field[3])
    if (!listed) print ".Bl -tag -width Ds"
    listed = 1
    print ".It Cm " field[1]
    print ".Pq " type
    print "\\&" part[n] "."
    for (i = 1; i < n && type == "condition"; i++) condition = condition part[i]
    if (condition != "") print "It stands for:\n\\&" condition
}
/^\/\* --- / {
    close_list()
    title = $0
    sub(/^\/\* --- /, "", title)
    sub(/ *(\([^)]*\) )?--- \*\/$/, "", title)
    print ".Sh " toupper(title)
}
/^OD_(FACT|DERIVED)\(/ { row = "" }
/^OD_(FACT|DERIVED)\(/ || row != "" {
    row = row $0
    if ($0 ~ /\)$/) { add(row); row = "" }
}
END { close_list(); print ".Sh SEE ALSO\n.Xr oomdoctor 1 ,\n.Xr oomdoctor-rules 5" }
