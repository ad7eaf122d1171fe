/*
 * Why a run failed: a closed list of the JSON contract, generated from causes.def in its order.
 */
#pragma once

#include "base/base.h"

enum od_cause {
#define OD_CAUSE(name, constant, ...) OD_CAUSE_##constant,
#include "facts/causes.def"
#undef OD_CAUSE
    OD_CAUSE_END
};

/* In a set of causes: set >> cause & 1. */
#define OD_CAUSE_BIT(constant) (UINT64_C(1) << OD_CAUSE_##constant)

/* "batch_too_large", the name in the JSON contract. */
const char *od_cause_name(enum od_cause cause);

/* The cause of that name; OD_CAUSE_END if there is none or name is NULL. */
enum od_cause od_cause_named(const char *name);

/* "OD101": a stable code for each cause. */
const char *od_cause_code(enum od_cause cause);

/* Is it a cause of host memory (OD2nn), as opposed to device memory? */
bool od_cause_is_of_host(enum od_cause cause);

/* "batch too large": a short description; "unknown" for OD_CAUSE_END. */
const char *od_cause_words(enum od_cause cause);

/* "the batch is too large for the device", a clause to follow "most likely"; NULL if memory did not
 * cause the failure. */
const char *od_cause_clause(enum od_cause cause);
