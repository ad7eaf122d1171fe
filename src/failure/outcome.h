/*
 * How a run ended, decided from its memory problems and the lines after them.
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
    const char *why;   /* the reason for the outcome, a sentence */
    struct od_prov at; /* the line that decides the outcome; line 0 = none */
    /* the part of the input that was not read may contain a failure */
    bool partly_read;
    bool reported;                   /* only people report the failure; no line of a log shows it */
    bool bare;                       /* the run failed with a line that gives no reason */
    bool asked_for_nothing;          /* the failed request was for 0 bytes: no lack of memory */
    const struct od_incident *ended; /* the incident that ended the run; NULL = none */
};

/* The outcome in reports: unknown if no failure was found and the input was not read completely. */
enum od_outcome od_outcome_shown(const struct od_verdict_of_run *run);

struct od_verdict_of_run od_outcome_of(const struct od_case *c);
