/*
 * Memory that remained in use after a release: the device's level after it ("after del model",
 * "after gc.collect") equals the level before it.
 */
#pragma once

#include "case/case.h"
#include "diagnose/diagnose.h"

enum { OD_KEPT_RELEASES = 4 };

struct od_kept {
    double bytes;
    struct od_prov at;                         /* the last release that freed no memory */
    struct od_view releases[OD_KEPT_RELEASES]; /* names of the releases in the log */
    size_t nreleases;
    bool called;     /* releases are calls in the program, not names of moments */
    const char *why; /* a sentence about what keeps the memory and how to free it */
};

/* False if nothing was released, or if the release freed the memory. */
bool od_kept_of(const struct od_case *c, const struct od_software_used *stack,
                struct od_kept *ret_kept);
