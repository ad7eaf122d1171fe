/*
 * What a line shows of programs: the signs of the catalogue that stand in it become events. A mark
 * counts where it begins a word; a setting where a value follows it.
 */
#pragma once

#include "facts/event.h"
#include "scan/candidates.h"

/* Of a line and of all that differ from it in digits alone, once it was looked for. */
struct od_sign_place {
    const struct od_sign *sign;
    bool known, stands;
    size_t at, value, end; /* of a setting: its name, its value, and what is behind that */
};

/* One OD_EV_SIGN for each; the excerpt of a setting is its name and its value as they stand there.
 */
void od_signs_tell(struct od_sign_place *places, size_t n, const struct od_line *line,
                   const struct od_sink *sink);
