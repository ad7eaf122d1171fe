/* What a person's line claims of a run, and the numbers in it. */
#include "facts/claim.h"
#include "facts/number.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>

static const struct {
    const char *text, *number; /* the first number; "" = none is one */
    bool bytes;
} numbers[] = {
    {"RTX 5090 and 3.5 GB", "5090", false},
    {"limit is 8Gi", "8Gi", true},
    {"uses 1_000 tiles", "1_000", false},
    {"at 12:30:59", "", false},
    {"only 80% of it", "", false},
    {"v1.2.3", "", false},
    {"a 3090Ti", "", false},
};

START_TEST(a_number_ends_with_its_unit)
{
    struct od_view text = od_view_of(numbers[_i].text);
    struct od_number number = {0};
    bool found = false;
    for (size_t i = 0; i < text.n && !found; i++)
        found = od_number_begins(text, i) && od_number_take(text, i, &number);
    struct od_view shown = {text.p + number.start, found ? number.end - number.start : 0};
    ck_assert_msg(od_view_eq_str(shown, numbers[_i].number), "%.*s", (int)shown.n, shown.p);
    ck_assert(number.bytes.known == numbers[_i].bytes);
}
END_TEST

#define GB(n) (UINT64_C(n) << 30)

static const struct {
    const char *line;
    bool failure;
    uint64_t in_use, limit, capacity; /* 0 = unknown */
} claims[] = {
    {"It gets killed with out of memory at 60 of the 64 GB.", true, GB(60), 0, GB(64)},
    {"The pod, limited to 2 GB, is OOM killed and restarts.", true, 0, GB(2), 0},
    {"It climbs to 30 GB of my 32 GB, then my desktop freezes.", true, GB(30), 0, GB(32)},
    {"my laptop with 16 GB of RAM freezes with out of memory", true, 0, 0, GB(16)},
    {"our job uses 12 GB and then crashes with an OOM", true, GB(12), 0, 0},
    {"The browser died when all of my 8 GB were used.", true, GB(8), 0, 0},
    {"Our cache was terminated, memory limit of 3 GB exceeded.", true, 0, GB(3), 0},
    {"If my run is out of memory it gets killed.", false, 0, 0, 0},
    {"The kernel kills a process when the machine is out of memory.", false, 0, 0, 0},
    {"My run is never killed, and never out of memory.", false, 0, 0, 0},
    {"Others get out of memory and my run crashes?", false, 0, 0, 0},
    {"My run crashes with an index error, 3 GB are in use.", false, 0, 0, 0},
};

START_TEST(a_claim_has_an_end_and_amounts)
{
    struct od_claim claim = od_claim_read(od_view_of(claims[_i].line));
    ck_assert_msg(od_claim_is_failure(&claim, false) == claims[_i].failure, "%s", claims[_i].line);
    if (!claims[_i].failure)
        return;
    ck_assert_uint_eq(claim.in_use.known ? claim.in_use.n : 0, claims[_i].in_use);
    ck_assert_uint_eq(claim.limit.known ? claim.limit.n : 0, claims[_i].limit);
    ck_assert_uint_eq(claim.capacity.known ? claim.capacity.n : 0, claims[_i].capacity);
}
END_TEST

START_TEST(memory_that_ran_out_elsewhere_is_of_others)
{
    struct od_view other = OD_VIEW("Somebody said that they got out of memory."),
                   own = OD_VIEW("Others have room, but I get out of memory.");
    ck_assert(od_claim_read(other).denied);
    ck_assert(!od_claim_read(own).denied);
}
END_TEST

Suite *od_claim_suite(void)
{
    Suite *suite = suite_create("claim");
    TCase *cases = tcase_create("lines");
    tcase_add_loop_test(cases, a_number_ends_with_its_unit, 0, (int)OD_COUNT_OF(numbers));
    tcase_add_loop_test(cases, a_claim_has_an_end_and_amounts, 0, (int)OD_COUNT_OF(claims));
    tcase_add_test(cases, memory_that_ran_out_elsewhere_is_of_others);
    suite_add_tcase(suite, cases);
    return suite;
}
