/*
 * Measurements of runs on a machine compared with their plans: a file of JSON lines that `plan
 * --measured LOG --calibration FILE` extends and `plan --calibration FILE` reads. The next plan is
 * corrected by the median of these runs.
 */
#pragma once

#include "plan/compare.h"

/* Sets the correction of a request from the runs measured with its metric, otherwise with the
 * closest metric. False with a diagnostic if the file cannot be read or has no matching run. */
bool od_calibration_read(const char *name, struct od_plan_request *request, struct od_arena *arena,
                         struct od_diags *diags);

/* Appends a line for each compared peak. False with a diagnostic if it cannot be written. */
bool od_calibration_add(const char *name, const struct od_plan *plan,
                        const struct od_plan_compared *compared, struct od_diags *diags);
