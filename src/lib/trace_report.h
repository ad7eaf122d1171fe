/*
 * Notes for a trace what a report is made of: the facts of the failure, the causes with their
 * signs, the remedies that were chosen.
 */
#pragma once

#include "report/report.h"

/* Does nothing without an observer of the case. */
void od_trace_report(const struct od_report *report);
