/*
 * Memory that a release did not free: a level of the device printed after a release ("after del
 * model", "after gc.collect") that equals the level before it.
 */
#pragma once

#include "case/case.h"
#include "diagnose/diagnose.h"

enum { OD_KEPT_RELEASES = 4 };

struct od_kept {
    double bytes;
    struct od_prov at;                         /* the last release that freed nothing */
    struct od_view releases[OD_KEPT_RELEASES]; /* names of the releases in the log */
    size_t nreleases;
    bool called;     /* releases are lines of the program, not names of moments */
    const char *why; /* a sentence: what keeps the memory, and what would free it */
};

/* False if nothing was released, or if the release freed the memory. */
bool od_kept_of(const struct od_case *c, const struct od_stack *stack, struct od_kept *ret_kept);
