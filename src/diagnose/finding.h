/*
 * The numbers, lines and signs of a finding. It has room for a few of each (OD_FINDING_NUMBERS,
 * OD_FINDING_EVIDENCE, OD_FINDING_CLUES of diagnose.h); what has no room left is not added.
 */
#pragma once

#include "diagnose/diagnose.h"

/* A new finding about the incident of the failure. Valid until the next one. */
struct od_finding *od_finding_new(struct od_diagnosis_context *context, enum od_cause cause);

void od_finding_sign(struct od_finding *finding, const char *sign, enum od_strength strength);

/* Does its cause assert that relation? */
bool od_finding_asserts(const struct od_finding *finding, enum od_relation relation);

/* Nothing is added when the value is unknown. */
void od_finding_bytes(struct od_finding *finding, const char *name, struct od_bytes value);
void od_finding_count(struct od_finding *finding, const char *name, struct od_count value);
void od_finding_evidence(struct od_finding *finding, const struct od_evidence *evidence);

/* The incident's lines, the device's line and the sizes that every reader asks for. */
void od_finding_failure(struct od_finding *finding, const struct od_failure *failure);
