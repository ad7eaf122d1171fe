/* Sentences with slots: "{asked} was requested" with the value of `asked`. */
#pragma once

#include "base/base.h"

/* Prints the value of a slot; false where it is not known. */
typedef bool od_slot_print(const void *with, struct od_view name, struct od_buf *to);

/* The first line of the text whose slots are all known, filled in; NULL = none. In arena. */
const char *od_slots_print(const char *text, od_slot_print *print, const void *with,
                           struct od_arena *arena);
