/* The suites of this room. */
#ifndef OD_TESTS_UNIT_REPORT_SUITES_H
#define OD_TESTS_UNIT_REPORT_SUITES_H

#include <check.h>

Suite *od_figures_suite(void);
Suite *od_github_suite(void);
Suite *od_json_suite(void);
Suite *od_pages_suite(void);
Suite *od_picture_suite(void);
Suite *od_text_suite(void);

#endif
