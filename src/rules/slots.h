/*
 * Sentences with slots and marks. "{asked} was requested" has a slot for the value of `asked`. "The
 * run failed late[cause|: memory seems to have grown]." has a marked part that repeats a headline,
 * which a report can omit by its id.
 */
#pragma once

#include "base/base.h"

/* The content that a marked part repeats: the cause or the event of the headline, or amounts. */
enum od_claimed { OD_CLAIMED_CAUSE, OD_CLAIMED_EVENT, OD_CLAIMED_AMOUNTS, OD_CLAIMED_END };
extern const char *const od_claimed_words[OD_CLAIMED_END + 1]; /* words of marks; ends with NULL */

/* A marked part of a sentence; offsets in bytes. */
struct od_claimed_part {
    enum od_claimed what;
    size_t at, n;
};

enum { OD_CLAIMED_PARTS = 4 };

struct od_claimed_parts {
    struct od_claimed_part list[OD_CLAIMED_PARTS];
    size_t n;
};

/* Prints the value of a slot; false if it is unknown. */
typedef bool od_slot_print(const void *with, struct od_view name, struct od_buf *to);

/* Removes a mark such as "[cause|" from the start of the text. False if there is none. */
bool od_slots_take_mark(struct od_view *text, enum od_claimed *ret_what);

/* Fills in the first line of the text whose slots are all known; NULL = none. In arena. Removes the
 * marks and stores the parts that they mark in ret_parts, if that is not NULL. */
const char *od_slots_print(const char *text, od_slot_print *print, const void *with,
                           struct od_arena *arena, struct od_claimed_parts *ret_parts);

/* The value of a slot as text; NULL = unknown. */
struct od_slot_word {
    const char *name, *value;
};

/* Finds a slot by name and sets *ret_value. False if the list lacks it. */
bool od_slots_find(const struct od_slot_word *list, size_t n, struct od_view name,
                   const char **ret_value);
