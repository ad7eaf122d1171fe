# public_vision.tsv -> initializers of struct od_public_vision
function number(text) { return text == "-" ? -1 : text }

!/^#/ && $1 != "name" {
    split($5, sides, "/")
    n = split(sides[1], side, "x")
    printf "    {\"%s\", \"%s\", %s, %s, %s, %s, %s, {%s, %s}, {%s, %s}, %s, %s, %s, %s, %s, %s},\n", $1, $2, $3,
        $4, (n > 1 ? side[n - 1] : side[n]), side[n], sides[2] + 0, $6, $8, ($7 == "=" ? $6 : $7), ($9 == "=" ? $8 : $9), number($10), number($11),
        number($14), $12, ($13 == "-" ? 0 : $13), ($15 == "-" ? 0 : $15)
}
