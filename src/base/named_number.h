/* Finds a setting's number in a line with several: "--batch 64 --size 64", "Namespace(b=8,
 * n=8)". */
#pragma once

#include "base/base.h"

/* Offset of the name before the value at `at`. *ret_signs: is there punctuation between the name
 * and the value? */
size_t od_name_before(struct od_view text, size_t at, bool *ret_signs);

/* Number after the flag in the command's part: "8" of "-t 8" and "-t8". Empty if none. */
struct od_view od_flag_value(struct od_view line, struct od_view command, struct od_view flag);

/* Is the flag a separate word of the command's part of the line? *ret_value is the word after it;
 * empty if that is missing or another flag. */
bool od_flag_given(struct od_view line, struct od_view command, struct od_view flag,
                   struct od_view *ret_value);

/* Offset of the value as a whole number after the name. If the name is missing, the offset of the
 * value if it occurs only once, otherwise OD_VIEW_NONE. */
size_t od_number_of(struct od_view text, struct od_view name, struct od_view value);

/* Length of the "Some(" that Rust prints before an optional number; 0 if it is absent. */
size_t od_number_some(struct od_view text, size_t number);
