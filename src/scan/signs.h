/*
 * Emits an event for each sign of the catalogue of programs in a line. A mark counts if it begins a
 * word; a setting counts if a value follows.
 */
#pragma once

#include "facts/event.h"
#include "scan/candidates.h"

/* The place of a sign in a line and in all lines of its shape, once it was looked for. */
struct od_sign_place {
    const struct od_sign *sign;
    bool known, stands;
    size_t at, value,
        end; /* of a setting: offsets of its name, of its value, and of the value's end */
};

/* Emits one OD_EV_SIGN for each place; the excerpt of a setting is its name and value as printed.
 */
void od_signs_tell(struct od_sign_place *places, size_t n, const struct od_line *line,
                   const struct od_sink *sink);
