#ifndef OD_TESTS_UNIT_HOST_SUITES_H
#define OD_TESTS_UNIT_HOST_SUITES_H

#include <check.h>

Suite *od_lock_suite(void);

#endif
