/*
 * Adds numbers, lines and signs to a finding. Each list is limited (OD_FINDING_NUMBERS,
 * OD_FINDING_EVIDENCE, OD_FINDING_CLUES in diagnose.h), and further entries are dropped.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "failure/growth.h"

/* Adds a finding about the incident of the failure. Valid until the next call. */
struct od_finding *od_finding_new(struct od_diagnosis_context *context, enum od_cause cause);

void od_finding_sign(struct od_finding *finding, const char *sign, enum od_strength strength);

bool od_finding_asserts(const struct od_finding *finding, enum od_relation relation);

/* Adds nothing if the number is unknown. */
void od_finding_bytes(struct od_finding *finding, const char *name, struct od_bytes value);
void od_finding_count(struct od_finding *finding, const char *name, struct od_count value);
void od_finding_evidence(struct od_finding *finding, const struct od_evidence *evidence);

/* Adds the lines of the incident and the device, and the sizes that all reports show. */
void od_finding_failure(struct od_finding *finding, const struct od_failure *failure);

/* "from 4.37 GiB to 60.5 GiB, 9.60 MiB a step, in jumps at each validation"; in arena. */
const char *od_growth_words(struct od_arena *arena, const struct od_growth *growth);

/* Makes the growing series the subject of the finding. Sets its phase, its first and last line and
 * its numbers (first_bytes, last_bytes, points_count; for growth also grown_bytes and
 * growth_per_x_bytes). */
void od_finding_growth(struct od_finding *finding, const struct od_growth *growth);
