/* What a growth is called, and the finding that it makes. */
#pragma once

#include "diagnose/diagnose.h"
#include "failure/growth.h"

/* "from 4.37 GiB to 60.5 GiB, 9.60 MiB a step, in jumps at each validation"; in arena. */
const char *od_growth_words(const struct od_diagnosis_context *context,
                            const struct od_growth *growth);

/* Numbers of the growth: grown_bytes, first_bytes, last_bytes, per_x_bytes, points_count. */
void od_finding_growth(struct od_finding *finding, const struct od_growth *growth);

/* The same of growth until a kill. */
void od_finding_growth_until(struct od_finding *finding, const struct od_growth *growth);

/* A leak that the growth speaks for, with its numbers; still to be put in words. */
struct od_finding *od_finding_of_growth(struct od_diagnosis_context *context, enum od_cause cause,
                                        const struct od_growth *growth);
