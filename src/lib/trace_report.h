/*
 * Notes for a trace what a report is made of: the facts of the failure, the causes with their
 * signs, the remedies that were chosen (advise/remedies.c notes those that were ruled out).
 */
#pragma once

#include "report/report.h"

/* Both do nothing without an observer of the case. */
void od_trace_causes(const struct od_case *c, const struct od_diagnosis *diagnosis);
void od_trace_remedies(const struct od_report *report);
