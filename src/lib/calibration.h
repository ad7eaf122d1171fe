/*
 * What runs on a machine took, beside what was planned of them: a file of JSON lines that
 * `plan --measured LOG --calibration FILE` adds to and `plan --calibration FILE` reads. The next
 * plan is corrected by the median of its runs.
 */
#pragma once

#include "plan/compare.h"

/* Sets the correction of a request from the runs measured with its metric, else with the nearest
 * metric. False with a diagnostic if the file cannot be read or has no matching run. */
bool od_calibration_read(const char *name, struct od_plan_request *request, struct od_arena *arena,
                         struct od_diags *diags);

/* Adds a line for each peak compared. False with a diagnostic where it cannot be written. */
bool od_calibration_add(const char *name, const struct od_plan *plan,
                        const struct od_plan_compared *compared, struct od_diags *diags);
