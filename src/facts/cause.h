/*
 * Why a run failed: the contract's closed list, made of causes.def, in its order.
 */
#pragma once

#include "base/base.h"

enum od_cause {
#define OD_CAUSE(name, constant, ...) OD_CAUSE_##constant,
#include "facts/causes.def"
#undef OD_CAUSE
    OD_CAUSE_END
};

/* "batch_too_large": the contract's word. */
const char *od_cause_name(enum od_cause cause);

/* The cause of that name; OD_CAUSE_END when there is none. NULL is no name. */
enum od_cause od_cause_named(const char *name);

/* "OD101": stable, one a cause. */
const char *od_cause_code(enum od_cause cause);

/* Is it of the machine's memory (OD2nn), not of a device's? */
bool od_cause_is_of_host(enum od_cause cause);

/* "batch too large": a few words for people; "unknown" for OD_CAUSE_END. */
const char *od_cause_words(enum od_cause cause);

/* "the batch is too large for the device": said behind "most likely"; NULL where memory did not
 * fail the run. */
const char *od_cause_clause(enum od_cause cause);

/* The numbers that its findings may carry beside those of every incident; ends with NULL. */
const char *const *od_cause_numbers(enum od_cause cause);
