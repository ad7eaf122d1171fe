/* The suites of this room, and a report to read. */
#ifndef OD_TESTS_UNIT_RUNS_SUITES_H
#define OD_TESTS_UNIT_RUNS_SUITES_H

#include "runs/run.h"

#include <check.h>

Suite *od_diff_suite(void);
Suite *od_fail_on_suite(void);
Suite *od_fleet_suite(void);
Suite *od_run_suite(void);
Suite *od_runs_figures_suite(void);

/* Two reports of a run, before and after; small, every list has an element. */
extern const char *const od_report_before;
extern const char *const od_report_after;

struct od_run *od_run_of_text(const char *json, struct od_arena *arena);

#endif
