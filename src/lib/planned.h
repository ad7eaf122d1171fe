/*
 * Compares a stored plan (plan --format json) with a run's measured peaks.
 */
#pragma once

#include "plan/compare.h"
#include "runs/run.h"

/* Reads the prediction in a file; false without a diagnostic if the file is no plan with one. */
bool od_planned_read(const char *name, struct od_plan_compared *ret_compared);

/* Sets the measurements of a run. False with a diagnostic if the log has no peak. */
bool od_planned_measure(struct od_plan_compared *compared, const struct od_run *run,
                        struct od_diags *diags);
