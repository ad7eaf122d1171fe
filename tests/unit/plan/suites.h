/* The suites of this room. */
#ifndef OD_TESTS_UNIT_PLAN_SUITES_H
#define OD_TESTS_UNIT_PLAN_SUITES_H

#include <check.h>

Suite *od_answer_estimate_suite(void);
Suite *od_answer_named_suite(void);
Suite *od_answer_suite(void);
Suite *od_answer_transformer_suite(void);
Suite *od_compare_suite(void);
Suite *od_host_suite(void);
Suite *od_knobs_suite(void);
Suite *od_recipe_suite(void);
Suite *od_options_suite(void);
Suite *od_rebuild_suite(void);
Suite *od_search_suite(void);
Suite *od_tensor_suite(void);
Suite *od_phases_suite(void);

#endif
