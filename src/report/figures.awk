# figures.gp -> rows of texts for gnuplot_script.c: a part begins with "## name" and ends before the next one.
/^## / {
    printf "%s{\"%s\",", rows++ ? "},\n" : "", $2
    next
}
/^[ \t]*(#|$)/ || !rows { next }
{
    gsub(/[\\"]/, "\\\\&")
    printf "\n \"%s\\n\"", $0
}
END { print "}," }
