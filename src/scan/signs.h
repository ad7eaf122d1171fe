/*
 * What a line shows of programs: the signs of the catalogue that stand in it become events. A mark
 * counts where it begins a word; a setting where a value follows it.
 */
#pragma once

#include "facts/event.h"
#include "scan/candidates.h"

/* One OD_EV_SIGN for each; the excerpt of a setting is its name and its value as they stand there.
 */
void od_signs_tell(const struct od_sign *const *signs, size_t n, const struct od_line *line,
                   const struct od_sink *sink);
