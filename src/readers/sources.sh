#!/bin/sh
# Writes src/readers/sources.mk and src/models/sources.mk, the source files of each room. configure.ac runs
# it first; later make does when the local.mk of a room has changed.
cd "$(dirname "$0")/../.." || exit 1
for room in readers models; do
    {
        printf 'OD_%s_SOURCES =' "$(printf %s "$room" | tr a-z A-Z)"
        find "src/$room" -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | while read -r file; do
            printf ' \\\n    %s' "$file"
        done
        printf '\n'
    } > "src/$room/sources.mk"
done
