/*
 * Runs a program that failed for lack of memory again with the advice of its report; if no remedy
 * can be set, with a smaller number of its command. A change after which the same request fails, or
 * after which the program fails otherwise, is taken back. A run is not retried if no change can
 * help.
 */
#pragma once

#include "advise/resume_command.h"
#include "report/report.h"

enum { OD_ATTEMPTS_MOST = 101 };

/* An attempt; texts and words are allocated in the arena of the run. */
struct od_attempt {
    char **argv;
    const char *changes;   /* NULL for the first attempt */
    struct od_view option; /* the option or variable that was changed first */
    const char *copy;      /* a file that was made for it; NULL = none */
    size_t base;           /* the attempt whose command was changed */
    bool of_memory;        /* it failed for lack of memory */
    bool useless;          /* its change did not help */
    const char *end;       /* how it ended, in a few words */
    struct od_bytes asked; /* the request that was refused */
    struct od_count limit; /* what it was refused by */
};

struct od_attempts {
    struct od_attempt list[OD_ATTEMPTS_MOST];
    size_t n;
};

struct od_retry {
    const char *why_not;            /* NULL = it can be retried */
    struct od_resume_command again; /* the command, if it can be retried */
    size_t base;                    /* the attempt whose command it changes */
};

/* Judges the last attempt by its report, and decides on the next one. Texts are allocated in arena.
 */
struct od_retry od_retry_of(const struct od_report *report, struct od_attempts *attempts,
                            struct od_arena *arena);

/* Sets the variable and raises the limit of this process, which its children inherit. False if that
 * is not possible. */
bool od_retry_prepare(const struct od_resume_command *again);
