/* Assertions that the numbers refute are dropped and counted; what is unknown refutes nothing. */
#include "failure/assertion.h"
#include "failure/failure.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/suite.h"

static const uint64_t gib = UINT64_C(1) << 30;

static struct od_amount amount(uint64_t gibibytes, enum od_scope scope)
{
    return (struct od_amount){od_bytes_exact(gibibytes * gib), scope};
}

static const struct od_series rises = {.slope_known = true, .slope_lo = 2, .slope_hi = 5},
                              flat = {.slope_known = true, .slope_lo = -1, .slope_hi = 1},
                              too_short = {.slope_lo = 2, .slope_hi = 5};

START_TEST(numbers_refute_an_assertion)
{
    const struct {
        struct od_assertion assertion;
        bool holds;
    } rows[] = {
        {{.relation = OD_ASSERTS_HELD,
          .amount = amount(10, OD_SCOPE_DEVICE),
          .against = amount(8, OD_SCOPE_DEVICE)},
         false},
        {{.relation = OD_ASSERTS_HELD,
          .amount = amount(7, OD_SCOPE_DEVICE),
          .against = amount(8, OD_SCOPE_DEVICE)},
         true},
        /* a container's memory says nothing of a device's */
        {{.relation = OD_ASSERTS_HELD,
          .amount = amount(10, OD_SCOPE_GROUP),
          .against = amount(8, OD_SCOPE_DEVICE)},
         true},
        {{.relation = OD_ASSERTS_REACHED,
          .amount = amount(1, OD_SCOPE_GROUP),
          .against = amount(8, OD_SCOPE_GROUP)},
         false},
        {{.relation = OD_ASSERTS_REACHED, .against = amount(8, OD_SCOPE_GROUP)}, true},
        {{.relation = OD_ASSERTS_GROWS, .series = &flat}, false},
        {{.relation = OD_ASSERTS_GROWS, .series = &rises}, true},
        {{.relation = OD_ASSERTS_LEVEL, .series = &rises}, false},
        {{.relation = OD_ASSERTS_LEVEL, .series = &flat}, true},
        {{.relation = OD_ASSERTS_LEVEL, .series = &too_short}, true},
        {{.relation = OD_ASSERTS_RAM, .suspects = UINT64_C(1) << OD_CAUSE_GROUP_LIMIT}, false},
    };
    struct case_maker maker;
    struct od_arena *arena = od_arena_new();
    case_maker_init(&maker);
    case_maker_incident(&maker, OD_INC_HOST_OOM_KILL, "Killed process");
    const struct od_failure *failure = od_failure_of(&maker.c, arena);
    size_t refuted = 0;
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        ck_assert_msg(od_assertion_holds(failure->profile, &rows[i].assertion) == rows[i].holds,
                      "row %zu", i);
        refuted += !rows[i].holds;
        ck_assert_uint_eq(failure->drops->n, refuted);
        /* asked again, as by another part of the report, it is counted once */
        (void)od_assertion_holds(failure->profile, &rows[i].assertion);
        ck_assert_uint_eq(failure->drops->n, refuted);
    }
    case_maker_done(&maker);
    od_arena_free(arena);
}
END_TEST

Suite *od_assertion_suite(void)
{
    Suite *suite = suite_create("assertions");
    TCase *tc = tcase_create("assertions");
    tcase_add_test(tc, numbers_refute_an_assertion);
    suite_add_tcase(suite, tc);
    return suite;
}
