/*
 * Compares a stored plan (plan --format json) with a run's measured peaks.
 */
#pragma once

#include "plan/compare.h"
#include "runs/run.h"

/* Reads a file's prediction; false, without a diagnostic, if it is not a plan with one. */
bool od_planned_read(const char *name, struct od_plan_compared *ret_compared);

/* Sets the measurements of a run. False with a diagnostic if its log has no peak. */
bool od_planned_measure(struct od_plan_compared *compared, const struct od_run *run,
                        struct od_diags *diags);
