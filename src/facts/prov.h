/*
 * Provenance: where something was said. Lines are 1-based physical lines of the input (ended by
 * LF or CRLF); a lone CR separates texts within one line.
 */
#pragma once

#include "base/base.h"

struct od_prov {
    uint32_t source; /* index into the inputs of the case */
    uint32_t nlines; /* physical lines it spans; 0 = nowhere */
    uint64_t line;   /* the first of them; 0 = not said in any line */
    uint64_t offset; /* of the first line, in unpacked bytes */
};

/* Negative, 0, positive as a stands before, at, after b. */
int od_prov_cmp(const struct od_prov *a, const struct od_prov *b);

/* Lines from one to the other; UINT64_MAX = they are of different sources. */
uint64_t od_prov_distance(const struct od_prov *a, const struct od_prov *b);
