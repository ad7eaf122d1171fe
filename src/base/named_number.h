/* The number of a setting in a line that has several: "--batch 64 --size 64", "Namespace(b=8,
 * n=8)". */
#pragma once

#include "base/base.h"

/* Where the name in front of what begins at `at` begins; *ret_signs: something other than blanks
 * stands between them, without which it is said in words. */
size_t od_name_before(struct od_view text, size_t at, bool *ret_signs);

/* The number behind a flag in that command's part of a line, as far as it goes: "8" of "-t 8" and
 * "-t8"; empty where it has none. */
struct od_view od_flag_value(struct od_view line, struct od_view command, struct od_view flag);

/* Where that value stands as a whole number behind a name like that; else where it stands once
 * only; OD_VIEW_NONE where neither. */
size_t od_number_of(struct od_view text, struct od_view name, struct od_view value);
