/* The suites of this room. */
#ifndef OD_TESTS_UNIT_ESTIMATE_SUITES_H
#define OD_TESTS_UNIT_ESTIMATE_SUITES_H

#include <check.h>

Suite *od_states_suite(void);

#endif
