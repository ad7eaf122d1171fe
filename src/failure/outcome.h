/* How the run ended, decided from what complained and from what came after it. */
#pragma once

#include "case/case.h"

enum od_outcome {
    OD_OUTCOME_MEMORY_FAILURE,
    OD_OUTCOME_SURVIVED,
    OD_OUTCOME_OTHER_FAILURE,
    OD_OUTCOME_NO_FAILURE,
    OD_OUTCOME_UNKNOWN
};

/* The contract's word. */
const char *od_outcome_name(enum od_outcome outcome);

struct od_verdict_of_run {
    enum od_outcome outcome;
    const char *why;                 /* the sentence behind it */
    struct od_prov at;               /* the line that decides; line 0 = none */
    bool partly_read;                /* what was not read may hold a failure */
    bool reported;                   /* by people only: no line of a log shows it */
    bool asked_for_nothing;          /* what failed is a request of 0 bytes: no lack of memory */
    const struct od_incident *ended; /* the incident that ended the run; NULL = none */
};

/* As reports show it: unknown where no failure is in what was read, and that is not all. */
enum od_outcome od_outcome_shown(const struct od_verdict_of_run *run);

struct od_verdict_of_run od_outcome_of(const struct od_case *c);
