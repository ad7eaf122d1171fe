/*
 * How the run ended, decided from its memory problems and from what followed them.
 */
#pragma once

#include "case/case.h"

enum od_outcome {
    OD_OUTCOME_MEMORY_FAILURE,
    OD_OUTCOME_SURVIVED,
    OD_OUTCOME_OTHER_FAILURE,
    OD_OUTCOME_NO_FAILURE,
    OD_OUTCOME_UNKNOWN
};

/* The name of the outcome in the JSON contract. */
const char *od_outcome_name(enum od_outcome outcome);

struct od_verdict_of_run {
    enum od_outcome outcome;
    const char *why;                 /* the sentence that explains the outcome */
    struct od_prov at;               /* the decisive line; line 0 = none */
    bool partly_read;                /* the part that was not read may contain a failure */
    bool no_log;                     /* a text of people that reports no failure */
    bool reported;                   /* only people report it; no line of a log shows it */
    bool bare;                       /* it failed, and its line gives no reason */
    bool asked_for_nothing;          /* the failed request was for 0 bytes, which is no lack of
                                        memory */
    const struct od_incident *ended; /* the incident that ended the run; NULL = none */
};

/* The outcome for reports: unknown if no failure was found but the input was not read
 * completely. */
enum od_outcome od_outcome_shown(const struct od_verdict_of_run *run);

struct od_verdict_of_run od_outcome_of(const struct od_case *c);
