/*
 * Changes that follow from the text's own numbers (facts/mention.h): an amount that a setting
 * allows but the machine does not have, and the number of parallel workers if the machine's memory
 * ran out.
 */
#pragma once

#include "advise/remedies.h"

enum od_own_reason {
    OD_OWN_NONE,
    OD_OWN_TOO_LARGE,
    OD_OWN_WORKED, /* another value of it, by the text */
    OD_OWN_FITS,   /* by what each of the processes held */
    OD_OWN_AT_ONCE,
    OD_OWN_LARGEST /* of the command; its name does not say what it is */
};

struct od_own_number {
    enum od_own_reason reason;
    const char *title, *cost;  /* cost: NULL = that of fewer at once */
    struct od_remedy_how step; /* with the number in its line, if it is a setting */
};

/* The best change whose line no known remedy changes; reason is OD_OWN_NONE if there is none. Texts
 * are allocated in arena. */
struct od_own_number od_own_number_of(const struct od_advise_question *question,
                                      const struct od_remedies *known, struct od_arena *arena);

/* The numbers that a text states, for a run that memory ended or may have ended; empty for others.
 * Allocated in arena. */
const struct od_mentions *od_mentions_of(const struct od_around *around, const struct od_case *c,
                                         const struct od_diagnosis *diagnosis,
                                         struct od_arena *arena);
