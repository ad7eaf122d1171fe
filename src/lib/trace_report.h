/*
 * Records in a trace how a report was made: the facts of the failure, the causes with their signs,
 * the chosen remedies (advise/remedies.c records rejected ones).
 */
#pragma once

#include "report/report.h"

/* Both do nothing if the case has no observer. */
void od_trace_causes(const struct od_case *c, const struct od_diagnosis *diagnosis);
void od_trace_remedies(const struct od_report *report);
