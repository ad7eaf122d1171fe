/* Dumps find the incident they belong to, or make one. */
#include "case/case.h"
#include "tests/unit/case/make.h"
#include "tests/unit/case/script.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

/* The dump of the tests: lines 100 to 910, request of 1 TiB, allocator GPU_0_bfc. */
static const struct make_tiling tiling = {.nregions = 1,
                                          .regions = {{0x7000, {-2048, 4096, -1024, 0}}}};

enum dump_kind { WHOLE, HEADLESS, STATS_ONLY, ROWS_ONLY };

static void put_dump(const struct od_sink *sink, enum dump_kind kind, uint64_t line)
{
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    dump.at.line = line;
    if (kind != WHOLE) {
        dump.has_header = false;
        dump.requested = dump.rounded = (struct od_bytes){0};
        dump.allocator = (struct od_view){0};
    }
    if (kind == STATS_ONLY || kind == ROWS_ONLY)
        dump.chunks.n = dump.regions.n = dump.bins.n = 0;
    if (kind == ROWS_ONLY) {
        dump.stats = (struct od_allocator_stats){0};
        dump.sum_total = (struct od_bytes){0};
        dump.occupancy = (struct od_view){0};
    }
    struct od_event event = {.kind = OD_EV_DUMP, .at = dump.at, .dump = &dump};
    od_sink_put(sink, &event);
    ck_assert_uint_eq(dump.chunks.room, 0);
    od_arena_free(arena);
}

#define TIB "1099511627776"

static const struct {
    const char *name;
    enum dump_kind kind;
    uint64_t line; /* line of the dump */
    struct said script[SCRIPT];
    size_t incidents;
    size_t owner; /* index + 1 of the incident that gets it */
} links[] = {
    {"its header line", WHOLE, 100, {HARD(100, TIB, 0), OOM(950, "[4,5]")}, 2, 1},
    {"its header line, of a repeat", WHOLE, 100, {HARD(10, TIB, 0), HARD(100, TIB, 0)}, 1, 1},
    {"two requests, the second dumps", WHOLE, 100, {HARD(99, "77", 0), HARD(100, TIB, 0)}, 2, 2},
    {"no event for the header: a made one", WHOLE, 100, {{0}}, 1, 1},
    {"no event, other requests above", WHOLE, 100, {HARD(10, "77", 0)}, 2, 2},
    {"no head: the line below it", HEADLESS, 100, {HARD(10, "77", 0), HARD(911, TIB, 0)}, 2, 2},
    {"no head: the error below it", HEADLESS, 100, {HARD(10, "77", 0), OOM(930, "[4,5]")}, 2, 2},
    {"no head: the one above", HEADLESS, 100, {HARD(10, "77", 0), HARD(2000, "79", 0)}, 2, 1},
    {"no head, nothing else: a made one", HEADLESS, 100, {{0}}, 1, 1},
    {"numbers alone: a made one", STATS_ONLY, 100, {{0}}, 1, 1},
    {"a few rows: none", ROWS_ONLY, 100, {{0}}, 0, 0},
    {"a soft warning has no dump",
     HEADLESS,
     100,
     {{.kind = OD_EV_SOFT_WARNING, .line = 50, .allocator = "GPU_0_bfc"}},
     2,
     2},
    {"a refusal inside of it dumps elsewhere", WHOLE, 100, {HARD(300, TIB, 0)}, 2, 1},
    {"another allocator's refusal",
     WHOLE,
     100,
     {{.kind = OD_EV_ALLOC_REFUSED, .line = 99, .allocator = "GPU_1_bfc", .requested = TIB}},
     2,
     2},
};

START_TEST(dumps_find_their_incident)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    bool dumped = false;
    for (size_t i = 0; i < SCRIPT; i++) {
        const struct said *said = &links[_i].script[i];
        if (!dumped && (said->kind == OD_EV_NONE || said->line > links[_i].line)) {
            put_dump(&sink, links[_i].kind, links[_i].line);
            dumped = true;
        }
        if (said->kind != OD_EV_NONE)
            script_put(&sink, said);
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_msg(c->incidents.n == links[_i].incidents, "%s: %zu incidents", links[_i].name,
                  c->incidents.n);
    ck_assert_uint_eq(c->allocators.n, 1);
    for (size_t i = 0; i < c->incidents.n; i++)
        ck_assert_msg((c->incidents.items[i].dump == 1) == (i + 1 == links[_i].owner),
                      "%s: incident %zu", links[_i].name, i + 1);
    if (links[_i].owner > 0) {
        const struct od_incident *inc = &c->incidents.items[links[_i].owner - 1];
        ck_assert_uint_eq(inc->in_use.n, 4096);
        ck_assert_uint_eq(inc->limit.n, 7168);
        if (links[_i].kind != STATS_ONLY)
            ck_assert_uint_eq(inc->free.n, 3072);
        else
            ck_assert(!inc->free.known);
    }
    od_case_free(c);
}
END_TEST

START_TEST(repeated_dumps_are_one_failure)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    put_dump(&sink, WHOLE, 2000);
    put_dump(&sink, WHOLE, 100);
    put_dump(&sink, STATS_ONLY, 4000);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->allocators.n, 3);
    ck_assert_uint_eq(c->allocators.items[0]->dump.at.line, 100);
    ck_assert_uint_eq(c->incidents.n, 1);
    ck_assert_uint_eq(c->incidents.items[0].count, 3);
    ck_assert_uint_eq(c->incidents.items[0].at.line, 100);
    ck_assert_uint_eq(c->incidents.items[0].dump, 2);
    ck_assert_uint_eq(c->incidents.items[0].requested.n, UINT64_C(1) << 40);
    od_case_free(c);
}
END_TEST

START_TEST(a_headless_dump_learns_its_request)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    put_dump(&sink, STATS_ONLY, 100);
    script_put(&sink, &(struct said)OOM(930, "[25,40]"));
    const struct od_case *c = od_case_freeze(builder);
    const struct od_allocator *a = c->allocators.items[0];
    ck_assert(!a->requested.known);
    ck_assert_uint_eq(a->need.n, 4096);
    ck_assert_int_eq(a->verdict, OD_VERDICT_EXHAUSTED);
    od_case_free(c);
}
END_TEST

Suite *od_links_suite(void)
{
    Suite *suite = od_suite_loop("links", dumps_find_their_incident, (int)OD_COUNT_OF(links));
    TCase *tcase = tcase_create("dumps");
    tcase_add_test(tcase, repeated_dumps_are_one_failure);
    tcase_add_test(tcase, a_headless_dump_learns_its_request);
    suite_add_tcase(suite, tcase);
    return suite;
}
