/* Contradictions between printed numbers, and their messages. */
#include "case/case.h"
#include "tests/unit/case/make.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

static const struct make_tiling tiling = {.nregions = 1,
                                          .regions = {{0x40000, {1024, 512, -2048, 8192, 0}}}};

static void put_dump(const struct od_sink *sink, struct od_dump *dump)
{
    struct od_event event = {.kind = OD_EV_DUMP, .at = dump->at, .dump = dump};
    od_sink_put(sink, &event);
}

static const struct {
    uint64_t count, bytes;
    const char *total;
    const char *message; /* NULL: no conflict */
} row_rows[] = {
    {3, UINT64_C(1048576), "3.00MiB", NULL},
    {3, 999999, "2.86MiB", NULL},
    {2, UINT64_C(603979776), "2.25GiB",
     "2 Chunks of size 603979776 totalling 2.25 GiB: 2 make 1.12 GiB; 4 would make 2.25 GiB"},
    {7, UINT64_C(209715200), "1.00GiB", "no whole number of them makes that"},
    {1, 1024, "9.0KiB", "9 would make 9 KiB"},
    {1, 2, "9.0KiB", "4583 to 4659 would"},
    {5, 0, "9.0KiB", "no whole number"},
    {UINT64_MAX, 1024, "1.0KiB", "1 would make 1 KiB"},
};

START_TEST(rows_pasted_alone_are_multiplied)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_dump dump = {.at = {.line = 12, .nlines = 2}, .cut_tail = true};
    struct od_summary_row row = {
        .count = row_rows[_i].count, .bytes = row_rows[_i].bytes, .line = 13};
    ck_assert(od_bytes_parse(od_view_of(row_rows[_i].total), OD_UNIT_BINARY, &row.total));
    od_vec_push(&dump.summary, row);
    put_dump(&sink, &dump);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->incidents.n, 0);
    ck_assert_uint_eq(c->conflicts.n, row_rows[_i].message != NULL);
    if (row_rows[_i].message) {
        struct od_view message = c->conflicts.items[0].message;
        ck_assert_str_eq(c->conflicts.items[0].code, "size-times-count");
        ck_assert_uint_eq(c->conflicts.items[0].at.line, 13);
        ck_assert_msg(od_view_has(message, od_view_of(row_rows[_i].message)), "%.*s",
                      (int)message.n, message.p);
    }
    od_case_free(c);
}
END_TEST

static void sound(struct od_dump *dump)
{
    (void)dump;
}

static void other_in_use(struct od_dump *dump)
{
    dump->stats.in_use.n -= 256;
}

static void over_limit(struct od_dump *dump)
{
    dump->stats.limit.n = 4096;
}

static void no_limit(struct od_dump *dump)
{
    dump->stats.limit.n = 0;
}

static void low_peak(struct od_dump *dump)
{
    dump->stats.max_in_use.n = 4096;
}

static void other_pool(struct od_dump *dump)
{
    dump->pool.n -= 256;
}

static void gap(struct od_dump *dump)
{
    dump->chunks.items[2].address += 256;
}

static const struct {
    void (*change)(struct od_dump *dump);
    const char *code; /* NULL: none */
} dump_rows[] = {
    {sound, NULL},
    {other_in_use, "chunks-in-use"},
    {other_in_use, "summary-in-use"},
    {over_limit, "in-use-over-limit"},
    {no_limit, NULL},
    {low_peak, "peak-below-in-use"},
    {other_pool, "regions-pool"},
    {gap, NULL},
};

START_TEST(dumps_that_contradict_themselves)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    dump_rows[_i].change(&dump);
    put_dump(&sink, &dump);
    od_arena_free(arena);
    const struct od_case *c = od_case_freeze(builder);
    bool found = false;
    for (size_t i = 0; i < c->conflicts.n; i++)
        found =
            found || (dump_rows[_i].code &&
                      od_view_eq_str(od_view_of(c->conflicts.items[i].code), dump_rows[_i].code));
    ck_assert_msg(found == (dump_rows[_i].code != NULL), "row %d: %zu conflicts", _i,
                  c->conflicts.n);
    if (!dump_rows[_i].code)
        ck_assert_uint_eq(c->conflicts.n, 0);
    od_case_free(c);
}
END_TEST

static const struct {
    uint64_t capacity, free;
    size_t conflicts;
} device_rows[] = {{8000, 7000, 0}, {8000, 8000, 0}, {8000, 8001, 1}};

START_TEST(devices_have_no_more_free_than_they_have)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_event event = {.kind = OD_EV_DEVICE, .at = {.line = 3, .nlines = 1}};
    od_event_set_text(&event, OD_F_DEVICE, OD_VIEW("GPU 0"));
    od_event_set_bytes(&event, OD_F_CAPACITY, od_bytes_exact(device_rows[_i].capacity));
    od_event_set_bytes(&event, OD_F_FREE, od_bytes_exact(device_rows[_i].free));
    od_sink_put(&sink, &event);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->conflicts.n, device_rows[_i].conflicts);
    od_case_free(c);
}
END_TEST

START_TEST(conflicts_have_a_limit_and_an_order)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_dump dump = {.at = {.line = 1, .nlines = 999}};
    for (uint64_t i = 0; i < 500; i++) {
        struct od_summary_row row = {
            .count = 2, .bytes = 512, .total = od_bytes_exact(9), .line = 999 - i};
        od_vec_push(&dump.summary, row);
    }
    put_dump(&sink, &dump);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_lt(c->conflicts.n, 500);
    ck_assert(c->closed);
    for (size_t i = 1; i < c->conflicts.n; i++)
        ck_assert_uint_le(c->conflicts.items[i - 1].at.line, c->conflicts.items[i].at.line);
    od_case_free(c);
}
END_TEST

Suite *od_conflicts_suite(void)
{
    Suite *suite =
        od_suite_loop("rows", rows_pasted_alone_are_multiplied, (int)OD_COUNT_OF(row_rows));
    TCase *tcase = tcase_create("conflicts");
    tcase_add_loop_test(tcase, dumps_that_contradict_themselves, 0, (int)OD_COUNT_OF(dump_rows));
    tcase_add_loop_test(tcase, devices_have_no_more_free_than_they_have, 0,
                        (int)OD_COUNT_OF(device_rows));
    tcase_add_test(tcase, conflicts_have_a_limit_and_an_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
