/*
 * The number of a command on which the memory of its run most probably depends: the batch, what is
 * kept or done at a time, how many run at once, or a large number of any name.
 */
#pragma once

#include "facts/argv.h"
#include "failure/failure.h"

/* How much the memory may depend on n of that option; 0 = not at all, above OD_NAMED_WEIGHT where
 * its name says that it sizes memory. */
#define OD_NAMED_WEIGHT 1e18
double od_number_weight(const struct od_failure *failure, struct od_view option, double n);

/* Is it how many run at the same time: "workers", "j"? */
bool od_number_is_at_once(struct od_view option);

/* Sets that number to half, unless it did not help. False if there is none. */
bool od_command_halve(struct od_argv *command, const struct od_failure *failure);

/* The command before the failure as its shell printed it; NULL = none. */
const struct od_evidence *od_command_before(const struct od_case *c,
                                            const struct od_incident *failure);
