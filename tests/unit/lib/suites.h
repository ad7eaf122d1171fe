/* The suites of this room, one a file. */
#ifndef OD_TESTS_UNIT_LIB_SUITES_H
#define OD_TESTS_UNIT_LIB_SUITES_H

#include "tests/unit/suite.h"

Suite *calibration_suite(void);
Suite *keep_suite(void);
Suite *models_named_suite(void);
Suite *watched_suite(void);

#endif
