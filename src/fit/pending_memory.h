/*
 * Memory that a running program will still allocate, and whether it fits: growth toward a limit,
 * the optimizer's states (created in the first step), the first checkpoint, the first validation.
 */
#pragma once

#include "case/case.h"

enum { OD_TO_COME_MOST = 12 };

struct od_pending_memory {
    size_t n;
    struct {
        enum od_tri fits;
        const char *key;  /* identifies the entry; the same when the log is read again */
        const char *text; /* a sentence for people */
    } list[OD_TO_COME_MOST];
};

/* Collects the memory to come. Allocated in arena; never NULL. */
const struct od_pending_memory *od_pending_memory_of(const struct od_case *c,
                                                     struct od_arena *arena);
