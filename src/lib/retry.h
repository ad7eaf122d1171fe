/*
 * A program that failed for lack of memory, run again with what its report advises: variables of
 * the environment, the batch in its own words, its last checkpoint. Only what is known to be
 * settable is changed; what a change cannot mend is not tried.
 */
#pragma once

#include "advise/resume_command.h"
#include "report/report.h"

struct od_retry {
    const char *why_not;            /* NULL = it may be tried */
    struct od_resume_command again; /* where it may */
};

/* argv: the words that it was run with. Texts in arena, or argv's. */
struct od_retry od_retry_of(const struct od_report *report, char *const *argv,
                            struct od_arena *arena);
