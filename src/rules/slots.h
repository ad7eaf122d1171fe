/*
 * Sentences with slots and marks: "{asked} was requested" with the value of `asked`; and
 * "The run failed late[cause|: memory seems to have grown]." with a part that repeats what a
 * headline states, so that a report can leave it out by its id.
 */
#pragma once

#include "base/base.h"

/* What a marked part repeats: the cause, or the event, as the headline states them; or amounts. */
enum od_claimed { OD_CLAIMED_CAUSE, OD_CLAIMED_EVENT, OD_CLAIMED_AMOUNTS, OD_CLAIMED_END };
extern const char *const od_claimed_words[OD_CLAIMED_END + 1]; /* of a mark, NULL-terminated */

/* A part of a sentence, in bytes of the whole. */
struct od_claimed_part {
    enum od_claimed what;
    size_t at, n;
};

enum { OD_CLAIMED_PARTS = 4 };

struct od_claimed_parts {
    struct od_claimed_part list[OD_CLAIMED_PARTS];
    size_t n;
};

/* Prints the value of a slot; false where it is not known. */
typedef bool od_slot_print(const void *with, struct od_view name, struct od_buf *to);

/* Takes the mark that begins the text ("[cause|"), if one does. */
bool od_slots_take_mark(struct od_view *text, enum od_claimed *ret_what);

/* The first line of the text whose slots are all known, filled in; NULL = none. In arena. The marks
 * are taken out of it; ret_parts, if not NULL, has what they mark. */
const char *od_slots_print(const char *text, od_slot_print *print, const void *with,
                           struct od_arena *arena, struct od_claimed_parts *ret_parts);
