/*
 * Emits an event for each sign of a known program in a line. A mark counts if it begins a word; a
 * setting counts if a value follows.
 */
#pragma once

#include "facts/event.h"
#include "scan/candidates.h"

/* The position of a sign, which is equal in all lines of a shape; valid if `known`. */
struct od_sign_place {
    const struct od_sign *sign;
    bool known, stands;
    size_t at, value, end; /* offsets of a setting's name, its value, and the end of the value */
};

/* Emits an OD_EV_SIGN for each place. The excerpt of a setting is name and value as printed. */
void od_signs_tell(struct od_sign_place *places, size_t n, const struct od_line *line,
                   const struct od_sink *sink);
