/* The suites of this room. */
#ifndef OD_TESTS_UNIT_INPUT_SUITES_H
#define OD_TESTS_UNIT_INPUT_SUITES_H

#include <check.h>

Suite *od_clock_suite(void);
Suite *od_lines_suite(void);
Suite *od_packed_suite(void);
Suite *od_unwrap_suite(void);
Suite *od_whole_suite(void);
Suite *od_wrap_suite(void);

#endif
