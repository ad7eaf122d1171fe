/* The suites of this room. */
#ifndef OD_TESTS_UNIT_BASE_SUITES_H
#define OD_TESTS_UNIT_BASE_SUITES_H

#include <check.h>

Suite *od_hypothetical_suite(void);
Suite *od_bytes_suite(void);
Suite *od_code_line_suite(void);
Suite *od_daytime_suite(void);
Suite *od_log_prefix_suite(void);
Suite *od_phrases_suite(void);
Suite *od_seconds_suite(void);
Suite *od_stats_suite(void);

#endif
