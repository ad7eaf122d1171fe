/* The error of a managed runtime that reached its own limit. */
#pragma once

#include "case/case.h"

/* An error that the catalogue explains by a setting to be raised, in the lines of the failure; NULL
 * = none. */
const struct od_seen *od_runtime_error(const struct od_case *c, const struct od_incident *incident);

/* " of 2.00 GiB", " (-Xmx2g)": its limit as far as the log shows it; "" = not at all. */
struct od_diagnosis_context;
const char *od_runtime_limit_words(struct od_diagnosis_context *context,
                                   const struct od_incident *incident);
