/*
 * What a log tells of the batches that its data loader makes: a printed sample, batch or array, the
 * image size, the number of workers; and of the memory that the machine has.
 */
#pragma once

#include "failure/failure.h"
#include "plan/loading.h"
#include "plan/request.h"

struct od_loader_question {
    const struct od_case *c;
    const struct od_failure *failure;
    const struct od_incident *ended;
    const struct od_plan_request *request; /* what the user adds to the log; or NULL */
    struct od_arena *arena;
};

struct od_loader {
    struct od_count workers, prefetch; /* as the log says; prefetch otherwise the default of 2 */
    bool prefetch_said;
    struct od_bytes sample, batch; /* bytes of one */
    const char *sample_basis;      /* in words; NULL = not known */
    bool sample_assumed;
    struct od_loading loading; /* of these batches; nothing where their size is not known */
};

void od_loader_of(const struct od_loader_question *question, struct od_loader *ret_loader);

/* A small number that was in force at the failure. */
struct od_count od_loader_number(const struct od_loader_question *question, enum od_setting_id id);

/* The machine's memory as the log states it, and where that is. */
struct od_bytes od_loader_memory(const struct od_loader_question *question, const char **ret_basis);
