#ifndef OD_TESTS_UNIT_CGI_SUITES_H
#define OD_TESTS_UNIT_CGI_SUITES_H

#include <check.h>

Suite *od_form_suite(void);
Suite *od_outside_suite(void);
Suite *od_wire_suite(void);

#endif
