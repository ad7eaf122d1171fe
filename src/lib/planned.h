/*
 * What was planned, beside what a run measured: a plan that was kept (plan --format json), and a
 * run's peaks.
 */
#pragma once

#include "plan/compare.h"
#include "runs/run.h"

/* What a file foretells; false, without a word, where it is no plan that says it. */
bool od_planned_read(const char *name, struct od_plan_compared *ret_compared);

/* Sets what a run measured. False with a diagnostic where its log shows no peak. */
bool od_planned_measure(struct od_plan_compared *compared, const struct od_run *run,
                        struct od_diags *diags);
