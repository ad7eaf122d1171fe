/*
 * --fail-on: the conditions that make a CI step fail. Terms are joined by '|': a cause, "leak",
 * "failure" (memory ended the run), "regression" (worse than the baseline), or METRIC OP VALUE.
 * METRIC is a metric of series (`_bytes` may be left out), device_peak or host_peak; OP is < or >;
 * VALUE is a size, a number of seconds, or a percentage of the limit.
 */
#pragma once

#include "base/diag.h"
#include "runs/diff.h"
#include "runs/run.h"

struct od_fail_on;

/* "device_peak, host_peak, device_used, ...": all metrics that a term can compare; in arena. */
const char *od_fail_on_metrics(struct od_arena *arena);

/* Returns NULL and adds a diagnostic that names the wrong term if the text cannot be parsed. */
const struct od_fail_on *od_fail_on_parse(const char *text, struct od_arena *arena,
                                          struct od_diags *diags);

/*
 * Returns the first term that is met, in words with its numbers; NULL if none is met. A term whose
 * numbers are missing in the run is not met; these terms are returned in *ret_unknown, joined by
 * '|' (NULL: none). diff may be NULL.
 */
const char *od_fail_on_met(const struct od_fail_on *fail_on, const struct od_run *run,
                           const struct od_diff *diff, struct od_arena *arena,
                           const char **ret_unknown);
