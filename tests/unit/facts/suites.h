/* The suites of this room. */
#ifndef OD_TESTS_UNIT_FACTS_SUITES_H
#define OD_TESTS_UNIT_FACTS_SUITES_H

#include <check.h>

Suite *od_around_suite(void);
Suite *od_bounds_suite(void);
Suite *od_excerpt_suite(void);
Suite *od_claim_suite(void);
Suite *od_mention_suite(void);
Suite *od_segment_suite(void);

#endif
