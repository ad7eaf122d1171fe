#!/bin/sh
# Writes causes.mk: the files of the causes in facts/causes.def that are looked for, in its order.
# The first time configure.ac runs it; later make does, where a row has come.
cd "$(dirname "$0")/../.." || exit 1
{
    printf 'OD_DIAGNOSERS ='
    sed -n 's/^OD_CAUSE(\([a-z_]*\),.*/\1/p' src/facts/causes.def | while read -r cause; do
        [ ! -f "src/diagnose/$cause.c" ] || printf ' \\\n    src/diagnose/%s.c' "$cause"
    done
    printf '\n'
} > src/diagnose/causes.mk
