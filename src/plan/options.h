/*
 * The table of options: possible changes to a workload with their memory and cost. Its users price
 * the rows differently: a plan by estimates, the report of a failed run by the log's evidence
 * (answer_options.h). The remedies of a report are rows of the table.
 */
#pragma once

#include "plan/largest_batch.h"

enum { OD_PLAN_OPTIONS_MAX = 16 };

/* One row of the table: a changed workload. */
struct od_plan_option {
    const char *remedy; /* id of the remedy that makes the change; NULL = none */
    struct od_workload workload;
    char cost[192];  /* cost of all changes as text; empty for the unchanged workload */
    unsigned effort; /* sort key: 0 = no cost */
    struct od_bytes peak;
    struct od_largest_batch largest;
    double fits; /* probability that the workload fits; negative: no device is given */
};

/* Functions that compute the memory of a changed workload. */
struct od_option_pricer {
    void *self;
    /* Sets peak and fits; false if they are not known. */
    bool (*price)(void *self, struct od_plan_option *option);
    void (*find_largest)(void *self, struct od_plan_option *option);
    /* Called after find_largest. Returns a smaller batch that fits; 0 = not known. */
    uint64_t (*smaller_batch)(void *self, const struct od_plan_option *option);
};

/* Builds the table. options[0] is the unchanged workload, already priced. Appends the changes that
 * save memory: first those that fit, cheapest first. Returns the number of rows, up to
 * OD_PLAN_OPTIONS_MAX. */
size_t od_options_build(const struct od_option_pricer *pricer,
                        struct od_plan_option options[OD_PLAN_OPTIONS_MAX]);
