/*
 * The options table: what could be changed about a workload, what that takes and what it costs. One
 * table and one builder for all: a plan has its rows priced by estimates, a failed run whose model
 * is known by what the log told (answer_options.h); a report's remedies are rows of it.
 */
#pragma once

#include "plan/largest_batch.h"

enum { OD_PLAN_OPTIONS_MAX = 16 };

/* One row of the table: the workload with something changed. */
struct od_plan_option {
    const char *remedy; /* id of the advice that it is a way of; NULL = none */
    struct od_workload workload;
    char cost[192];  /* in words, of all its changes; empty for the workload as asked */
    unsigned effort; /* what it costs, to be sorted by; 0 = nothing */
    struct od_bytes peak;
    struct od_largest_batch largest;
    double fits; /* negative: no device was given */
};

/* What a changed workload takes. */
struct od_option_pricer {
    void *self;
    /* Sets peak and fits; false where they cannot be told. */
    bool (*price)(void *self, struct od_plan_option *option);
    void (*find_largest)(void *self, struct od_plan_option *option);
    /* A smaller batch for it, after find_largest, with which it fits; 0: none is known. */
    uint64_t (*smaller_batch)(void *self, const struct od_plan_option *option);
};

/*
 * options[0] is the workload as asked, priced. Behind it come the changes that save memory, those
 * that fit before those that do not, the cheapest first. Returns how many rows there are, up to
 * OD_PLAN_OPTIONS_MAX.
 */
size_t od_options_build(const struct od_option_pricer *pricer,
                        struct od_plan_option options[OD_PLAN_OPTIONS_MAX]);
