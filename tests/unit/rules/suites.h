/* The suites of this room. */
#ifndef OD_TESTS_UNIT_RULES_SUITES_H
#define OD_TESTS_UNIT_RULES_SUITES_H

#include <check.h>

Suite *od_load_suite(void);
Suite *od_ruleset_suite(void);
Suite *od_match_suite(void);
Suite *od_emit_suite(void);
Suite *od_advice_suite(void);
Suite *od_advice_error_suite(void);
Suite *od_software_suite(void);
Suite *od_when_suite(void);

#endif
