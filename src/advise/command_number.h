/*
 * The number of a command on which the memory of its run most probably depends: the batch, a number
 * of things that are stored or done together, a number of processes, or a large number of any name.
 */
#pragma once

#include "facts/argv.h"
#include "failure/failure.h"

/* How much the memory may depend on the number: 0 = not at all, above OD_NAMED_WEIGHT if the
 * number's name means a size in memory. */
#define OD_NAMED_WEIGHT 1e18
double od_number_weight(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena);

/* Is the number the memory limit of the program, which refused the request itself? */
bool od_number_is_bound(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena);

/* Is it the option for a number of processes or threads: "workers", "j"? */
bool od_number_is_at_once(struct od_view option);

/* Was another thread or process refused? */
bool od_failure_is_of_threads(const struct od_case *c, const struct od_failure *failure);

/* The most probable number among those that are not `useless` in argv; NULL = none. also: test for
 * other numbers; NULL = none. */
typedef bool od_number_test(const void *with, const struct od_assigned *one);
const struct od_assigned *od_command_number(const struct od_case *c,
                                            const struct od_failure *failure,
                                            const struct od_argv *argv, od_number_test *also,
                                            const void *with);

/* The command before the failure as printed by its shell; NULL = none. */
const struct od_evidence *od_command_before(const struct od_case *c,
                                            const struct od_incident *failure);
