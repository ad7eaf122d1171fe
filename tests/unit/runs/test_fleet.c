#include "runs/fleet.h"
#include "tests/unit/runs/suites.h"

#include <string.h>

enum { RUNS = 60 };

/* Reports of runs that fail in three ways, succeed, or fail otherwise. */
static const char *report_of(struct od_arena *arena, unsigned i)
{
    static const char *const outcomes[] = {"memory_failure", "memory_failure", "memory_failure",
                                           "no_failure", "other_failure"};
    static const char *const causes[] = {"batch_too_large", "host_leak", "fragmented"};
    const char *outcome = outcomes[i % 5];
    if (strcmp(outcome, "memory_failure") != 0)
        return od_arena_printf(arena,
                               "{\"schema\":\"oomdoctor.report/1\",\"inputs\":[{\"name\":\"r%u\","
                               "\"digest\":\"d%u\",\"seconds\":10}],\"outcome\":\"%s\"}",
                               i, i, outcome);
    return od_arena_printf(
        arena,
        "{\"schema\":\"oomdoctor.report/1\",\"inputs\":[{\"name\":\"r%u\",\"digest\":\"d%u\","
        "\"first_time\":\"2026-01-%02uT00:00:00\",\"last_time\":\"2026-02-%02uT00:00:00\","
        "\"seconds\":%u}],\"outcome\":\"%s\",\"settings\":{\"world_size\":2},"
        "\"incidents\":[{\"kind\":\"device_alloc_failed\",\"producer\":\"pytorch\","
        "\"device\":\"GPU:0\",\"count\":1,\"fatal\":true,"
        "\"tensor\":{\"shape\":[%u,64],\"dtype\":\"float32\"}}],"
        "\"diagnosis\":[{\"cause\":\"%s\"}],\"plan\":{\"actions\":[{\"id\":\"%s\","
        "\"title\":\"T\"}]}}",
        i, i, i % 28 + 1, i % 28 + 1, i, outcome, 8 + i, causes[i % 3],
        i % 2 ? "reduce_batch" : "accumulate");
}

static void add(struct od_fleet *fleet, struct od_arena *arena, unsigned i)
{
    struct od_run *run = od_run_of_text(report_of(arena, i), arena);
    ck_assert_ptr_nonnull(run);
    od_fleet_add(fleet, run);
    od_run_done(run);
}

static void write_json(struct od_fleet *fleet, struct od_buf *to)
{
    struct od_json json = {.to = to, .pretty = true};
    od_fleet_json(fleet, &json);
}

static void merge(struct od_fleet *into, const struct od_buf *json)
{
    struct od_diags *diags = od_diags_new();
    ck_assert(od_fleet_add_json(into, od_buf_view(json), "part", diags));
    od_diags_free(diags);
}

/* One process; eight parts with overlaps, merged in two orders and in pairs: the same bytes. */
START_TEST(parts_merge_to_the_same_fleet)
{
    enum { PARTS = 8 };
    struct od_arena *arena = od_arena_new();
    struct od_fleet *all = od_fleet_new(arena);
    struct od_buf want = {0}, parts[PARTS] = {{0}}, got = {0}, half = {0};
    for (unsigned i = 0; i < RUNS; i++)
        add(all, arena, i);
    write_json(all, &want);
    for (unsigned p = 0; p < PARTS; p++) {
        struct od_fleet *part = od_fleet_new(arena);
        for (unsigned i = 0; i < RUNS; i++)
            if (i % PARTS == p || (i + 3) % PARTS == p)
                add(part, arena, RUNS - 1 - i);
        write_json(part, &parts[p]);
        od_fleet_free(part);
    }
    struct od_fleet *forward = od_fleet_new(arena), *backward = od_fleet_new(arena);
    struct od_fleet *pairs = od_fleet_new(arena), *last = od_fleet_new(arena);
    for (unsigned p = 0; p < PARTS; p++) {
        merge(forward, &parts[p]);
        merge(backward, &parts[PARTS - 1 - p]);
        merge(p < PARTS / 2 ? pairs : last, &parts[p]);
    }
    write_json(last, &half);
    merge(pairs, &half);
    struct od_fleet *const fleets[] = {forward, backward, pairs};
    for (int i = 0; i < 3; i++) {
        got.n = 0;
        write_json(fleets[i], &got);
        ck_assert_str_eq(od_buf_str(&got), od_buf_str(&want));
        od_fleet_free(fleets[i]);
    }
    for (unsigned p = 0; p < PARTS; p++)
        od_buf_done(&parts[p]);
    od_buf_done(&want);
    od_buf_done(&got);
    od_buf_done(&half);
    od_fleet_free(last);
    od_fleet_free(all);
    od_arena_free(arena);
}
END_TEST

START_TEST(groups_count_what_is_alike)
{
    struct od_arena *arena = od_arena_new();
    struct od_fleet *fleet = od_fleet_new(arena);
    struct od_buf json = {0};
    for (unsigned i = 0; i < 30; i++) {
        add(fleet, arena, i);
        add(fleet, arena, i); /* again: counts once */
    }
    ck_assert_uint_eq(od_fleet_count(fleet), 30);
    write_json(fleet, &json);
    const char *text = od_buf_str(&json);
    ck_assert_ptr_nonnull(strstr(text, "\"memory_failure\": 18"));
    ck_assert_ptr_nonnull(strstr(text, "pytorch | batch_too_large | [*,64] float32 | GPU"));
    /* 0, 6, 12, 15, 21 and 27 of batch_too_large, two devices each */
    ck_assert_ptr_nonnull(strstr(text, "\"gpu_seconds_lost\": 162"));
    od_buf_done(&json);
    od_fleet_free(fleet);
    od_arena_free(arena);
}
END_TEST

/* A run of forty logs, read as a report and out of a part of a fleet: one run. */
START_TEST(a_run_of_many_logs_counts_once)
{
    struct od_arena *arena = od_arena_new();
    struct od_fleet *fleet = od_fleet_new(arena), *other = od_fleet_new(arena);
    struct od_buf report = {0}, part = {0};
    od_buf_add_str(&report, "{\"schema\":\"oomdoctor.report/1\",\"inputs\":[");
    for (int i = 0; i < 40; i++)
        od_buf_printf(&report, "%s{\"name\":\"rank%d.log\",\"digest\":\"xxh3:%032d\"}",
                      i ? "," : "", i, i);
    od_buf_add_str(&report, "],\"outcome\":\"no_failure\"}");
    struct od_run *run = od_run_of_text(od_buf_str(&report), arena);
    ck_assert_ptr_nonnull(run);
    od_fleet_add(fleet, run);
    od_fleet_add(other, run);
    write_json(other, &part);
    merge(fleet, &part);
    ck_assert_uint_eq(od_fleet_count(fleet), 1);
    od_run_done(run);
    od_fleet_free(fleet);
    od_fleet_free(other);
    od_buf_done(&report);
    od_buf_done(&part);
    od_arena_free(arena);
}
END_TEST

START_TEST(what_is_no_fleet_is_refused)
{
    static const char *const wrong[] = {"", "{}", "{\"schema\":\"oomdoctor.fleet/2\"}",
                                        "{\"schema\":\"oomdoctor.report/1\"}"};
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_fleet *fleet = od_fleet_new(arena);
    for (size_t i = 0; i < OD_COUNT_OF(wrong); i++)
        ck_assert(!od_fleet_add_json(fleet, od_view_of(wrong[i]), "x", diags));
    ck_assert(od_fleet_add_json(
        fleet, OD_VIEW("{\"schema\":\"oomdoctor.fleet/1\",\"members\":[5,{},{\"name\":\"a\"}]}"),
        "x", diags));
    ck_assert_uint_eq(od_fleet_count(fleet), 0);
    od_fleet_free(fleet);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_fleet_suite(void)
{
    Suite *suite = suite_create("fleet");
    TCase *tcase = tcase_create("fleet");
    tcase_add_test(tcase, parts_merge_to_the_same_fleet);
    tcase_add_test(tcase, groups_count_what_is_alike);
    tcase_add_test(tcase, a_run_of_many_logs_counts_once);
    tcase_add_test(tcase, what_is_no_fleet_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
