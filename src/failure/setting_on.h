/*
 * Whether a setting of the run has a value, according to the last line that sets it.
 */
#pragma once

#include "case/case.h"

/* Does the last value of a setting of that name (or of a synonym) contain one of the texts? A text
 * "=1" has to match the whole value; NULL or an empty list matches any value. A switch that is on
 * also matches by its name: "fp16: true" contains "16". */
bool od_setting_is_on(const struct od_case *c, const char *name, const char *const *texts);
