/*
 * How a diagnoser puts a finding down: its numbers, its evidence and what is said of it. A finding
 * has room for a few of each (OD_FINDING_NUMBERS, OD_FINDING_EVIDENCE of diagnose.h).
 */
#ifndef OD_DIAGNOSE_FINDING_H
#define OD_DIAGNOSE_FINDING_H

#include "diagnose/diagnose.h"

/*
 * A new finding of the context's diagnosis about its scene's incident. Valid until the next one.
 * Where the outcome is not a failure, certainty and probability are lowered.
 */
struct od_finding *od_finding_add(struct od_diagnosis_context *context, enum od_cause cause,
                                  enum od_certainty certainty, double probability);

/* Its sentences for people; they live in the context's arena. */
void od_finding_say(struct od_diagnosis_context *context, struct od_finding *finding,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Nothing is added when it is unknown, or when there is no room left. */
void od_finding_bytes(struct od_finding *finding, const char *name, struct od_bytes value);
void od_finding_count(struct od_finding *finding, const char *name, struct od_count value);
void od_finding_evidence(struct od_finding *finding, const struct od_evidence *evidence);

/* The incident's lines, the device's line and the sizes every reader asks for. */
void od_finding_failure(struct od_finding *finding, const struct od_failure *failure);

#endif
