/*
 * Provenance: where something was printed. Lines are physical lines of the input, counted from 1
 * (ended by LF or CRLF); a lone CR separates texts within one line.
 */
#pragma once

#include "base/base.h"

struct od_prov {
    uint32_t source; /* index in the inputs of the case */
    uint32_t nlines; /* number of physical lines; 0 = none */
    uint64_t line;   /* its first line; 0 = not from a line */
    uint64_t offset; /* offset of the first line, in decompressed bytes */
};

/* Negative, 0 or positive if a is before, at or after b. */
int od_prov_cmp(const struct od_prov *a, const struct od_prov *b);

/* Number of lines between them; UINT64_MAX if their sources differ. */
uint64_t od_prov_distance(const struct od_prov *a, const struct od_prov *b);
