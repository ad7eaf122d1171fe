/*
 * Memory that was to be given back and stayed: a level of the device that is printed behind a
 * release ("after del model", "after gc.collect") and is what it was in front of it.
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
    bool called;     /* they are lines of the program, not names of moments */
    const char *why; /* a sentence: what keeps it, and what would give it back */
};

/* False where nothing was released, or it was given back. */
bool od_kept_of(const struct od_case *c, struct od_kept *ret_kept);
