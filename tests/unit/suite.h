/*
 * What the unit tests of a room share: each file gives one or more suites, and the program of the
 * room runs them. Check forks each test, so a crash is a failure of that test alone.
 */
#ifndef OD_TESTS_UNIT_SUITE_H
#define OD_TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Check writes the place of each assertion that holds to a file, to name the last one before a
 * crash. Once for each place is enough: loops over tables come to ten million assertions. */
#define _mark_point(file, line)        \
    __extension__({                    \
        static int marked;             \
        if (!marked)                   \
            (_mark_point)(file, line); \
        marked = 1;                    \
        (void)0;                       \
    })

/* Runs the suites (NULL-terminated); the exit status of the program. */
static inline int od_suites_run(Suite *const *suites)
{
    SRunner *runner = srunner_create(NULL);
    for (; *suites; suites++)
        srunner_add_suite(runner, *suites);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A suite of loop tests: name, test, number of rows of its table. */
static inline Suite *od_suite_loop(const char *name, const TTest *test, int rows)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_add_loop_test(tcase, test, 0, rows);
    suite_add_tcase(suite, tcase);
    return suite;
}

#endif
