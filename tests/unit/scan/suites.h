/* The suites of this room. */
#ifndef OD_TESTS_UNIT_SCAN_SUITES_H
#define OD_TESTS_UNIT_SCAN_SUITES_H

#include <check.h>

Suite *od_filter_suite(void);
Suite *od_prove_suite(void);
Suite *od_shapes_suite(void);
Suite *od_mentions_suite(void);

#endif
