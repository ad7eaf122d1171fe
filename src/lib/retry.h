/*
 * Runs a program that failed for lack of memory again with the advice of its report: environment
 * variables, the batch size in its own options, its last checkpoint. Only known settings are
 * changed, and a run is not retried if no change can help.
 */
#pragma once

#include "advise/resume_command.h"
#include "report/report.h"

struct od_retry {
    const char *why_not;            /* NULL = it can be retried */
    struct od_bytes asked;          /* the request that was refused */
    struct od_count limit;          /* what it was refused by */
    struct od_resume_command again; /* the command, if it can be retried */
};

/* argv: the words of the command, which ran so many times. Texts are allocated in arena or belong
 * to argv. */
struct od_retry od_retry_of(const struct od_report *report, char *const *argv, uint64_t attempt,
                            struct od_arena *arena);
