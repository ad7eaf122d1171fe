/*
 * The table of options: possible changes to a workload, their memory and their cost. All users
 * share the table and its builder: a plan prices rows by estimates, a failed run with a known model
 * by the log's evidence (answer_options.h), and a report's remedies are rows of it.
 */
#pragma once

#include "plan/largest_batch.h"

enum { OD_PLAN_OPTIONS_MAX = 16 };

/* One row of the table: the workload with something changed. */
struct od_plan_option {
    const char *remedy; /* id of the remedy that it carries out; NULL = none */
    struct od_workload workload;
    char cost[192];  /* cost of all its changes as text; empty for the unchanged workload */
    unsigned effort; /* sort key for the cost; 0 = none */
    struct od_bytes peak;
    struct od_largest_batch largest;
    double fits; /* negative: no device was given */
};

/* Computes the memory of a changed workload. */
struct od_option_pricer {
    void *self;
    /* Sets peak and fits; false if they are not known. */
    bool (*price)(void *self, struct od_plan_option *option);
    void (*find_largest)(void *self, struct od_plan_option *option);
    /* Called after find_largest: a smaller batch with which it fits; 0 = not known. */
    uint64_t (*smaller_batch)(void *self, const struct od_plan_option *option);
};

/* options[0] is the unchanged workload, already priced. Appends the changes that save memory: those
 * that fit first, cheapest first. Returns the number of rows, up to OD_PLAN_OPTIONS_MAX. */
size_t od_options_build(const struct od_option_pricer *pricer,
                        struct od_plan_option options[OD_PLAN_OPTIONS_MAX]);
