/* The suites of this room. */
#ifndef OD_TESTS_UNIT_ATTRIBUTE_SUITES_H
#define OD_TESTS_UNIT_ATTRIBUTE_SUITES_H

#include <check.h>

Suite *od_batch_suite(void);
Suite *od_holding_suite(void);
Suite *od_known_suite(void);
Suite *od_near_suite(void);
Suite *od_sequence_suite(void);
Suite *od_setup_suite(void);
Suite *od_weights_suite(void);

#endif
