#include "base/num.h"
#include "facts/amount.h"
#include "facts/prov.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

static const struct places_row {
    struct od_prov a, b;
    int order; /* of a and b */
    uint64_t distance;
} places_rows[] = {
    {{.line = 7}, {.line = 7}, 0, 0},
    {{.line = 3}, {.line = 7}, -1, 4},
    {{.line = 7, .nlines = 9}, {.line = 3, .offset = 80}, 1, 4},
    {{.source = 1, .line = 3}, {.source = 0, .line = 7}, 1, UINT64_MAX},
    {{.source = 1, .line = 7}, {.source = 2, .line = 7}, -1, UINT64_MAX},
    {{.line = 0}, {.line = UINT64_MAX}, -1, UINT64_MAX},
};

START_TEST(places_have_an_order_and_a_distance)
{
    const struct places_row *row = &places_rows[_i];
    ck_assert_int_eq(od_prov_cmp(&row->a, &row->b), row->order);
    ck_assert_int_eq(od_prov_cmp(&row->b, &row->a), -row->order);
    ck_assert_uint_eq(od_prov_distance(&row->a, &row->b), row->distance);
    ck_assert_uint_eq(od_prov_distance(&row->b, &row->a), row->distance);
}
END_TEST

/* May the two be compared? */
static const struct scopes_row {
    enum od_scope one, two;
    bool compared;
} scopes_rows[] = {
    {OD_SCOPE_DEVICE, OD_SCOPE_DEVICE, true},    {OD_SCOPE_POOL, OD_SCOPE_DEVICE, true},
    {OD_SCOPE_RUNTIME, OD_SCOPE_MACHINE, true},  {OD_SCOPE_POOL, OD_SCOPE_JOB, false},
    {OD_SCOPE_DEVICE, OD_SCOPE_MACHINE, false},  {OD_SCOPE_JOB, OD_SCOPE_GROUP, false},
    {OD_SCOPE_UNKNOWN, OD_SCOPE_MACHINE, false}, {OD_SCOPE_UNKNOWN, OD_SCOPE_UNKNOWN, false},
};

START_TEST(amounts_are_compared_within_one_memory)
{
    const struct scopes_row *row = &scopes_rows[_i];
    ck_assert_int_eq(od_scopes_compare(row->one, row->two), row->compared);
    ck_assert_int_eq(od_scopes_compare(row->two, row->one), row->compared);
    struct od_amount less = {od_bytes_exact(1), row->one}, more = {od_bytes_exact(2), row->two};
    ck_assert_int_eq(od_amount_less(less, more), row->compared ? OD_YES : OD_CANNOT_TELL);
}
END_TEST

int main(void)
{
    Suite *suites[] = {
        od_suite_loop("scopes", amounts_are_compared_within_one_memory,
                      (int)OD_COUNT_OF(scopes_rows)),
        od_around_suite(),
        od_bounds_suite(),
        od_excerpt_suite(),
        od_claim_suite(),
        od_mention_suite(),
        od_segment_suite(),
        od_suite_loop("places", places_have_an_order_and_a_distance, (int)OD_COUNT_OF(places_rows)),
        NULL};
    return od_suites_run(suites);
}
