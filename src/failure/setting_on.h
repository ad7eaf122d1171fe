/* Whether a setting of the run has a value, by the last line that sets it. */
#pragma once

#include "case/case.h"

/* Does the last value of a setting of that name, or of another name for it, contain one of the
 * texts? "=1" is the whole value; NULL or no text is any value. A switch that is on counts by its
 * name: "fp16: true" contains "16". */
bool od_setting_is_on(const struct od_case *c, const char *name, const char *const *texts);
