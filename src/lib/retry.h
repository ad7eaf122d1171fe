/*
 * Decides how to run a program again that failed for lack of memory: with the advice of its report
 * or, if no remedy can be set, with a smaller number in its command. A change is undone if the same
 * request fails again or the program fails in another way. A run is not retried if no change can
 * help.
 */
#pragma once

#include "advise/resume_command.h"
#include "report/report.h"

enum { OD_ATTEMPTS_MOST = 101 };

/* An attempt. Its texts and words are allocated in the arena of the run. */
struct od_attempt {
    char **argv;
    const char *changes;   /* NULL for the first attempt */
    struct od_view option; /* the option or variable that was changed first */
    const char *copy;      /* a changed copy of a file that was made for the attempt; NULL = none */
    size_t base;           /* index of the attempt whose command was changed */
    bool of_memory;        /* the attempt failed for lack of memory */
    bool useless;          /* the change did not help */
    const char *end;       /* how the attempt ended, in a few words */
    struct od_bytes asked; /* bytes of the refused request */
    struct od_count limit; /* the limit that refused the request */
};

struct od_attempts {
    struct od_attempt list[OD_ATTEMPTS_MOST];
    size_t n;
};

struct od_retry {
    const char *why_not;            /* why the run cannot be retried; NULL = it can be */
    struct od_resume_command again; /* the next command */
    size_t base;                    /* index of the attempt whose command is changed */
};

/* Judges the last attempt by its report and decides on the next one. Texts are in arena. */
struct od_retry od_retry_of(const struct od_report *report, struct od_attempts *attempts,
                            struct od_arena *arena);

/* Sets the variable of the command and raises the limit of this process, which its children
 * inherit. False if that is not possible. */
bool od_retry_prepare(const struct od_resume_command *again);
