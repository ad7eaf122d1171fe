/*
 * How a diagnoser puts a finding down: its numbers, its evidence and what is said of it. A finding
 * has room for a few of each (OD_FINDING_NUMBERS, OD_FINDING_EVIDENCE of diagnose.h).
 */
#pragma once

#include "diagnose/diagnose.h"

/* A new finding of the sign's cause, about the incident of the failure. Valid until the next one.
 */
struct od_finding *od_finding_add(struct od_diagnosis_context *context, enum od_clue sign);

/* The same with a sign of rules/causes; NULL = none yet. */
struct od_finding *od_finding_new(struct od_diagnosis_context *context, enum od_cause cause,
                                  const char *sign, enum od_strength strength);
void od_finding_sign(struct od_finding *finding, const char *sign, enum od_strength strength);

/* What else speaks for its cause or against it. */
void od_finding_clue(struct od_finding *finding, enum od_clue sign);

/* Its sentences for people; they live in the context's arena. */
void od_finding_say(struct od_diagnosis_context *context, struct od_finding *finding,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Nothing is added when it is unknown, or when there is no room left. */
void od_finding_bytes(struct od_finding *finding, const char *name, struct od_bytes value);
void od_finding_count(struct od_finding *finding, const char *name, struct od_count value);
void od_finding_evidence(struct od_finding *finding, const struct od_evidence *evidence);

/* The line that says what the run was doing when it ended. */
void od_finding_doing(const struct od_diagnosis_context *context, struct od_finding *finding);

/* The incident's lines, the device's line and the sizes every reader asks for. */
void od_finding_failure(struct od_finding *finding, const struct od_failure *failure);
