/* The suites of this room. */
#ifndef OD_TESTS_UNIT_ADVISE_SUITES_H
#define OD_TESTS_UNIT_ADVISE_SUITES_H

#include <check.h>

Suite *od_remedy_suite(void);
Suite *od_version_suite(void);
Suite *od_unless_suite(void);

#endif
