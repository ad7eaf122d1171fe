/*
 * Changes derived from the text's own numbers (facts/mention.h): an amount that a setting allows
 * but the machine does not have, and the number of parallel workers if the machine's memory ran
 * out.
 */
#pragma once

#include "advise/remedies.h"

enum od_own_reason {
    OD_OWN_NONE,
    OD_OWN_TOO_LARGE,
    OD_OWN_WORKED, /* the text says that another value worked */
    OD_OWN_FITS,   /* computed from the memory of each process */
    OD_OWN_AT_ONCE,
    OD_OWN_LARGEST /* a number of the command whose name does not show its meaning */
};

struct od_own_number {
    enum od_own_reason reason;
    const char *title, *cost;  /* cost: NULL = the usual one of fewer processes */
    struct od_remedy_how step; /* with the number in its line, if it is a setting */
};

/* The best change whose line no known remedy changes. reason is OD_OWN_NONE if there is none. Texts
 * are allocated in arena. */
struct od_own_number od_own_number_of(const struct od_advise_question *question,
                                      const struct od_remedies *known, struct od_arena *arena);

/* The numbers in a text, for a run that memory ended or may have ended; empty for others. Allocated
 * in arena. */
const struct od_mentions *od_mentions_of(const struct od_around *around, const struct od_case *c,
                                         const struct od_diagnosis *diagnosis,
                                         struct od_arena *arena);
