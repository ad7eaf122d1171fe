/*
 * Measurements of runs on a machine, compared with their plans: a file of JSON lines. `plan
 * --measured LOG --calibration FILE` adds lines, `plan --calibration FILE` corrects the next plan
 * by the median of them.
 */
#pragma once

#include "plan/compare.h"

/* Sets the correction of a request from runs measured with its metric, otherwise with the closest
 * metric. False with a diagnostic if the file cannot be read or has no matching run. */
bool od_calibration_read(const char *name, struct od_plan_request *request, struct od_arena *arena,
                         struct od_diags *diags);

/* Appends a line for each compared peak. False with a diagnostic if the file cannot be written. */
bool od_calibration_add(const char *name, const struct od_plan *plan,
                        const struct od_plan_compared *compared, struct od_diags *diags);
