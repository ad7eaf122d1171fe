#!/bin/sh
# Writes sources.mk: the files of the readers. The first time configure.ac runs it; later make does,
# where a reader's word has come into local.mk.
cd "$(dirname "$0")/../.." || exit 1
{
    printf 'OD_READER_SOURCES ='
    find src/readers -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | while read -r file; do
        printf ' \\\n    %s' "$file"
    done
    printf '\n'
} > src/readers/sources.mk
