/*
 * Facts of a log about its data loader's batches (a printed sample, batch or array, the image size,
 * the number of workers) and about the machine's memory.
 */
#pragma once

#include "failure/failure.h"
#include "plan/loading.h"
#include "plan/request.h"

struct od_loader_question {
    const struct od_case *c;
    const struct od_failure *failure;
    const struct od_incident *ended;
    const struct od_plan_request *request; /* the user's additions to the log; may be NULL */
    struct od_arena *arena;
};

struct od_loader {
    struct od_count workers, prefetch; /* from the log; the default of prefetch is 2 */
    bool prefetch_said;
    struct od_bytes sample, batch; /* bytes of a sample and of a batch */
    const char *sample_basis;      /* source of `sample` in words; NULL = not known */
    bool sample_assumed;
    struct od_loading loading; /* loading of these batches; zeroed if their size is unknown */
};

void od_loader_of(const struct od_loader_question *question, struct od_loader *ret_loader);

/* The value of a setting in force at the failure, if it is a small number. */
struct od_count od_loader_number(const struct od_loader_question *question, enum od_setting_id id);

/* The machine's memory that the log prints, and the source of that number. */
struct od_bytes od_loader_memory(const struct od_loader_question *question, const char **ret_basis);
