/*
 * --fail-on: the conditions under which a CI step fails. Terms are joined by '|': a cause, "leak",
 * "failure" (memory ended the run), "regression" (worse than the baseline), or METRIC OP VALUE.
 * METRIC is a metric of series (`_bytes` may be omitted), device_peak or host_peak; OP is < or >;
 * VALUE is a size, a number of seconds, or a percentage of the limit.
 */
#pragma once

#include "base/diag.h"
#include "runs/diff.h"
#include "runs/run.h"

struct od_fail_on;

/* All metrics of terms: "device_peak, host_peak, device_used, ...". In arena. */
const char *od_fail_on_metrics(struct od_arena *arena);

/* Parses the terms. NULL with a diagnostic that names the term if one is invalid. */
const struct od_fail_on *od_fail_on_parse(const char *text, struct od_arena *arena,
                                          struct od_diags *diags);

/*
 * Returns the first term that holds, in words with its numbers; NULL if none does. A term whose
 * numbers the run lacks does not hold; *ret_unknown lists these terms, joined by '|' (NULL: none).
 * diff may be NULL.
 */
const char *od_fail_on_met(const struct od_fail_on *fail_on, const struct od_run *run,
                           const struct od_diff *diff, struct od_arena *arena,
                           const char **ret_unknown);
