/* The suites of this room. */
#ifndef OD_TESTS_UNIT_DIAGNOSE_SUITES_H
#define OD_TESTS_UNIT_DIAGNOSE_SUITES_H

#include <check.h>

Suite *od_outcome_suite(void);
Suite *od_shape_hint_suite(void);
Suite *od_cause_suite(void);
Suite *od_host_cause_suite(void);
Suite *od_finding_suite(void);
Suite *od_certainty_suite(void);
Suite *od_rows_suite(void);
Suite *od_assertion_suite(void);
Suite *od_told_suite(void);

#endif
