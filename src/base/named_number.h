/* Finds the number of one setting in a line with several: "--batch 64 --size 64", "Namespace(b=8,
 * n=8)". */
#pragma once

#include "base/base.h"

/* Offset of the name before the value at `at`. *ret_signs: is there punctuation, and not only
 * blanks, between the name and the value? */
size_t od_name_before(struct od_view text, size_t at, bool *ret_signs);

/* The number after a flag in the command's part of the line: "8" of "-t 8" and "-t8"; empty if the
 * flag has no number. */
struct od_view od_flag_value(struct od_view line, struct od_view command, struct od_view flag);

/* Does the command's part of the line have that flag as a word of its own? *ret_value: the word
 * after it; empty if it is the last one, or another flag follows. */
bool od_flag_given(struct od_view line, struct od_view command, struct od_view flag,
                   struct od_view *ret_value);

/* Offset of the value as a whole number after that name. Without the name, the offset of the value
 * if it occurs only once; else OD_VIEW_NONE. */
size_t od_number_of(struct od_view text, struct od_view name, struct od_view value);
