#include "base/num.h"
#include "diagnose/diagnose.h"

#include "tests/unit/diagnose/suites.h"
#include "tests/unit/fit_of.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(causes_have_one_code_each)
{
    for (int i = 0; i < OD_CAUSE_END; i++) {
        const char *code = od_cause_code((enum od_cause)i);
        ck_assert_uint_eq(strlen(code), 5);
        ck_assert_int_eq(strncmp(code, "OD", 2), 0);
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(code, od_cause_code((enum od_cause)j));
            ck_assert_str_ne(od_cause_name((enum od_cause)i), od_cause_name((enum od_cause)j));
        }
    }
}
END_TEST

/* Codes are in reports and scripts of users: a change of this table breaks them. */
START_TEST(codes_are_stable)
{
    static const struct {
        enum od_cause cause;
        const char *name;
        const char *code;
    } rows[] = {
        {OD_CAUSE_BATCH_TOO_LARGE, "batch_too_large", "OD101"},
        {OD_CAUSE_FRAGMENTED, "fragmented", "OD104"},
        {OD_CAUSE_DATASET_ON_DEVICE, "dataset_on_device", "OD110"},
        {OD_CAUSE_DRIVER_REFUSED, "driver_refused", "OD116"},
        {OD_CAUSE_HOST_LEAK, "host_leak", "OD201"},
        {OD_CAUSE_NOT_MEMORY, "not_memory", "OD901"},
        {OD_CAUSE_SURVIVED, "survived", "OD902"},
    };
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        ck_assert_str_eq(od_cause_name(rows[i].cause), rows[i].name);
        ck_assert_str_eq(od_cause_code(rows[i].cause), rows[i].code);
    }
}
END_TEST

START_TEST(empty_case_is_no_failure)
{
    struct od_case c = {.arena = od_arena_new()};
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&c, NULL));
    ck_assert_int_eq(diagnosis->failure->run.outcome, OD_OUTCOME_NO_FAILURE);
    ck_assert_uint_eq(diagnosis->findings.n, 0);
    ck_assert_ptr_null(diagnosis->failure->run.ended);
    od_diagnosis_free(diagnosis);
    od_diagnosis_free(NULL);
    od_arena_free(c.arena);
}
END_TEST

static Suite *basics(void)
{
    Suite *suite = suite_create("diagnose");
    TCase *tcase = tcase_create("diagnose");
    tcase_add_test(tcase, causes_have_one_code_each);
    tcase_add_test(tcase, codes_are_stable);
    tcase_add_test(tcase, empty_case_is_no_failure);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    Suite *suites[] = {
        basics(),
        od_outcome_suite(),
        od_shape_hint_suite(),
        od_cause_suite(),
        od_host_cause_suite(),
        od_finding_suite(),
        od_certainty_suite(),
        od_rows_suite(),
        od_assertion_suite(),
        od_told_suite(),
        NULL,
    };
    return od_suites_run(suites);
}
