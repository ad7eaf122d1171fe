/* The suites of this room. */
#ifndef OD_TESTS_UNIT_CASE_SUITES_H
#define OD_TESTS_UNIT_CASE_SUITES_H

#include <check.h>

Suite *od_tables_suite(void);
Suite *od_checks_suite(void);
Suite *od_verdict_suite(void);
Suite *od_builder_suite(void);
Suite *od_folding_suite(void);
Suite *od_links_suite(void);
Suite *od_conflicts_suite(void);
Suite *od_echoes_suite(void);
Suite *od_states_suite(void);
Suite *od_frames_suite(void);
Suite *od_series_suite(void);
Suite *od_trend_suite(void);

#endif
