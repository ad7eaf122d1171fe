/* Describes growth in words, and makes it the subject of a finding. */
#pragma once

#include "diagnose/diagnose.h"
#include "failure/growth.h"

/* "from 4.37 GiB to 60.5 GiB, 9.60 MiB a step, in jumps at each validation"; in arena. */
const char *od_growth_words(struct od_arena *arena, const struct od_growth *growth);

/* Makes the growing series the subject of the finding. Sets its phase, its first and last line and
 * its numbers (first_bytes, last_bytes, and if it grew grown_bytes, growth_per_x_bytes,
 * points_count). */
void od_finding_growth(struct od_finding *finding, const struct od_growth *growth);
