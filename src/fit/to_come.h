/*
 * What is still to come of a run that goes on, and whether it fits: where its growth crosses a
 * limit, the optimizer's states, which its first step makes, the first checkpoint, the first
 * validation.
 */
#pragma once

#include "case/case.h"

enum { OD_TO_COME_MOST = 12 };

struct od_to_come {
    size_t n;
    struct {
        enum od_tri fits;
        const char *key;  /* the same for the same thing each time that the log is read again */
        const char *text; /* a sentence for people */
    } list[OD_TO_COME_MOST];
};

/* In arena; never NULL. */
const struct od_to_come *od_to_come_of(const struct od_case *c, struct od_arena *arena);
