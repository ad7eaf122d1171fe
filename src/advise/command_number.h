/*
 * The number of a command on which the memory of its run most probably depends: the batch, what is
 * kept or done at a time, how many run at once, or a large number of any name.
 */
#pragma once

#include "facts/argv.h"
#include "failure/failure.h"

/* How much the memory may depend on the number; 0 = not at all, above OD_NAMED_WEIGHT where
 * its name says that it sizes memory. */
#define OD_NAMED_WEIGHT 1e18
double od_number_weight(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena);

/* Is it the most memory that the program may take, which it refused itself? */
bool od_number_is_bound(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena);

/* Is it how many run at the same time: "workers", "j"? */
bool od_number_is_at_once(struct od_view option);

/* Was another thread or process refused? */
bool od_failure_is_of_threads(const struct od_case *c, const struct od_failure *failure);

/* That number, of those that are not useless in argv; NULL = none. also: which others; NULL = none
 */
typedef bool od_number_test(const void *with, const struct od_assigned *one);
const struct od_assigned *od_command_number(const struct od_case *c,
                                            const struct od_failure *failure,
                                            const struct od_argv *argv, od_number_test *also,
                                            const void *with);

/* The command before the failure as its shell printed it; NULL = none. */
const struct od_evidence *od_command_before(const struct od_case *c,
                                            const struct od_incident *failure);
