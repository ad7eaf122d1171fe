/* Numbers about memory without a complaint: kept, and given to the failure above them. */
#include "case/case.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

static struct od_event event_at(enum od_event_kind kind, uint64_t line)
{
    struct od_event event = {.kind = kind, .at = {.line = line, .nlines = 1}};
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("pytorch"));
    od_event_set_text(&event, OD_F_DEVICE, OD_VIEW("GPU 0"));
    return event;
}

struct row {
    const char *name, *producer, *device;
    uint64_t line;
    bool completes;
};

static const struct od_case *fold(const struct row *row)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_event failure = event_at(OD_EV_ALLOC_FAILED, 10);
    od_event_set_bytes(&failure, OD_F_REQUESTED, od_bytes_exact(4096));
    od_sink_put(&sink, &failure);
    struct od_event state = event_at(OD_EV_MEMORY_STATE, row->line);
    od_event_set_text(&state, OD_F_NAME, od_view_of(row->name));
    od_event_set_text(&state, OD_F_PRODUCER, od_view_of(row->producer));
    od_event_set_text(&state, OD_F_DEVICE, od_view_of(row->device));
    od_event_set_bytes(&state, OD_F_IN_USE, od_bytes_exact(1 << 20));
    od_event_set_bytes(&state, OD_F_PEAK, od_bytes_exact(2 << 20));
    od_sink_put(&sink, &state);
    return od_case_freeze(builder);
}

static const struct row rows[] = {
    {"memory_summary", "pytorch", "GPU 0", 20, true},
    {"memory_summary", "pytorch", "GPU 1", 20, false},
    {"memory_summary", "pytorch", "GPU 0", 2000, false},
    {"weights", "pytorch", "GPU 0", 20, false},
    {"left", "tensorflow", "GPU 0", 11, true},
    {"left", "tensorflow", "GPU 0", 20, false},
};

START_TEST(summary_completes_the_failure_above)
{
    const struct od_case *c = fold(&rows[_i]);
    ck_assert_uint_eq(c->incidents.n, 1);
    const struct od_incident *inc = &c->incidents.items[0];
    ck_assert_int_eq(inc->in_use.known, rows[_i].completes);
    ck_assert_uint_eq(inc->in_use.n, rows[_i].completes ? 1 << 20 : 0);
    ck_assert_int_eq(inc->peak.known, rows[_i].completes);
    ck_assert_uint_eq(inc->requested.n, 4096);
    ck_assert_uint_eq(c->states.n, 1);
    ck_assert(od_view_eq_str(c->states.items[0].name, rows[_i].name));
    od_case_free(c);
}
END_TEST

START_TEST(all_states_are_counted_the_first_are_kept)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t line = 1; line <= 1000; line++) {
        struct od_event state = event_at(OD_EV_MEMORY_STATE, line);
        od_sink_put(&sink, &state);
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->state_count, 1000);
    ck_assert_uint_lt(c->states.n, 1000);
    ck_assert_uint_eq(c->states.items[c->states.n - 1].said.at.line, c->states.n);
    ck_assert(!c->closed);
    od_case_free(c);
}
END_TEST

Suite *od_states_suite(void)
{
    Suite *suite =
        od_suite_loop("states", summary_completes_the_failure_above, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("limit");
    tcase_add_test(tcase, all_states_are_counted_the_first_are_kept);
    suite_add_tcase(suite, tcase);
    return suite;
}
