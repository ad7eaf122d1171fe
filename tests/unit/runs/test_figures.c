#include "runs/diff.h"
#include "runs/fleet.h"
#include "tests/unit/runs/suites.h"

#include <string.h>

/* A report with a course of four points; its names are given. */
static const char *const form =
    "{\"schema\":\"oomdoctor.report/1\",\"inputs\":[{\"name\":\"%s\",\"digest\":\"d%s\","
    "\"complete\":true,\"seconds\":7200}],\"outcome\":\"memory_failure\","
    "\"incidents\":[{\"kind\":\"device_alloc_failed\",\"producer\":\"%s\",\"device\":\"%s\","
    "\"fatal\":true,\"in_use_bytes\":%u}],"
    "\"series\":[{\"metric\":\"%s\",\"device\":\"%s\",\"points\":4,\"first\":1024,\"last\":4096,"
    "\"min\":1024,\"max\":4096,\"x\":\"%s\",\"limit\":5000,\"course\":[[0,1024],[10,2048],[20,3000]"
    ","
    "[30,4096]]}],\"diagnosis\":[{\"cause\":\"%s\"}],"
    "\"phases\":[{\"name\":\"%s\",\"bytes\":%u}]}";

struct names {
    const char *name, *producer, *device, *metric, *x, *cause, *phase;
};

static const struct names tame = {"a",    "pytorch",   "GPU:0",     "device_used_bytes",
                                  "step", "host_leak", "validation"};
static const struct names hostile = {"'`id`'\\n", "`id`\\n'",      "GPU:`id`",       "'`id`",
                                     "`id`",      "'; system 'id", "'\\nsystem 'id'"};

static struct od_run *run_of(const struct names *n, unsigned bytes, struct od_arena *arena)
{
    return od_run_of_text(od_arena_printf(arena, form, n->name, n->name, n->producer, n->device,
                                          bytes, n->metric, n->device, n->x, n->cause, n->phase,
                                          bytes),
                          arena);
}

static const struct od_figure *find(const struct od_figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->n; i++)
        if (strcmp(figures->list[i].name, name) == 0)
            return &figures->list[i];
    return NULL;
}

static bool has(struct od_view text, const char *words)
{
    return od_view_has(text, od_view_of(words));
}

static const struct od_figures *compare(const struct names *old, const struct names *new,
                                        struct od_arena *arena)
{
    struct od_run *was = run_of(old, 9000, arena), *is = run_of(new, 3000, arena);
    struct od_diff *diff = od_diff_make(was, is, arena);
    const struct od_figures *figures = od_diff_figures(diff, arena);
    od_diff_done(diff);
    od_run_done(was);
    od_run_done(is);
    return figures;
}

START_TEST(before_and_after_are_bars_and_lines)
{
    struct od_arena *arena = od_arena_new();
    const struct od_figures *figures = compare(&tame, &tame, arena);
    const struct od_figure *bars = find(figures, "before_after");
    const struct od_figure *lines = find(figures, "overlay_1");
    ck_assert_ptr_nonnull(bars);
    ck_assert(has(bars->script, "'peak, device' 0") && has(bars->script, "'validation' 1"));
    ck_assert(has(bars->data, "9000 3000") && has(bars->script, "set xlabel 'KiB'"));
    ck_assert_ptr_nonnull(lines);
    ck_assert_str_eq(lines->title, "Device memory in use, GPU 0, old and new");
    ck_assert(has(lines->script, "set xlabel 'step'") && has(lines->script, "limit 4.88 KiB"));
    ck_assert(has(lines->data, "30 4096"));
    for (size_t i = 0; i < figures->n; i++)
        ck_assert(strlen(figures->list[i].alt) > 20);
    od_arena_free(arena);
}
END_TEST

/* Steps and seconds have no axis in common; the part of each run is one. */
START_TEST(other_axes_are_not_mixed)
{
    struct od_arena *arena = od_arena_new();
    struct names seconds = tame;
    seconds.x = "seconds";
    const struct od_figure *lines = find(compare(&tame, &seconds, arena), "overlay_1");
    ck_assert_ptr_nonnull(lines);
    ck_assert(has(lines->script, "part of what the log shows, %"));
    ck_assert(has(lines->data, "100 4096"));
    od_arena_free(arena);
}
END_TEST

START_TEST(what_is_read_back_is_no_program)
{
    struct od_arena *arena = od_arena_new();
    struct od_fleet *fleet = od_fleet_new(arena);
    struct od_run *run = run_of(&hostile, 9000, arena);
    ck_assert_ptr_nonnull(run);
    od_fleet_add(fleet, run);
    const struct od_figures *both[] = {compare(&hostile, &hostile, arena),
                                       od_fleet_figures(fleet, arena)};
    for (size_t k = 0; k < 2; k++) {
        ck_assert_uint_gt(both[k]->n, 0);
        for (size_t i = 0; i < both[k]->n; i++) {
            const struct od_figure *figure = &both[k]->list[i];
            ck_assert(!has(figure->script, "id") || !has(figure->script, "`"));
            ck_assert(!has(figure->script, "system") && !has(figure->data, "`"));
            ck_assert_ptr_null(strchr(figure->title, '`'));
            ck_assert_ptr_null(strchr(figure->alt, '`'));
        }
    }
    od_run_done(run);
    od_fleet_free(fleet);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_fleet_is_bars_of_hours_and_runs)
{
    struct od_arena *arena = od_arena_new();
    struct od_fleet *fleet = od_fleet_new(arena);
    struct names other = tame;
    other.name = "b";
    struct od_run *runs[] = {run_of(&tame, 9000, arena), run_of(&other, 9000, arena)};
    for (size_t i = 0; i < 2; i++)
        od_fleet_add(fleet, runs[i]);
    const struct od_figures *figures = od_fleet_figures(fleet, arena);
    const struct od_figure *hours = find(figures, "lost_hours"),
                           *count = find(figures, "failed_runs");
    ck_assert(hours && count);
    ck_assert(has(hours->script, "'1. PyTorch: host memory leaks'") && has(hours->data, "1 4"));
    ck_assert(has(hours->script, "set xlabel 'GPU hours'") && has(hours->script, "label '4.0'"));
    ck_assert(has(count->data, "1 2") && has(count->script, "set xlabel 'runs'"));
    for (size_t i = 0; i < 2; i++)
        od_run_done(runs[i]);
    od_fleet_free(fleet);
    od_arena_free(arena);
}
END_TEST

/* Our own words have apostrophes, too. */
START_TEST(an_apostrophe_ends_no_label)
{
    struct od_arena *arena = od_arena_new();
    struct od_fleet *fleet = od_fleet_new(arena);
    struct names limit = tame;
    limit.cause = "runtime_limit";
    struct od_run *run = run_of(&limit, 9000, arena);
    od_fleet_add(fleet, run);
    const struct od_figure *count = find(od_fleet_figures(fleet, arena), "failed_runs");
    ck_assert_ptr_nonnull(count);
    ck_assert(has(count->script, "limit of the program''s runtime'"));
    od_run_done(run);
    od_fleet_free(fleet);
    od_arena_free(arena);
}
END_TEST

Suite *od_runs_figures_suite(void)
{
    Suite *suite = suite_create("runs/figures");
    TCase *tests = tcase_create("figures");
    tcase_add_test(tests, before_and_after_are_bars_and_lines);
    tcase_add_test(tests, other_axes_are_not_mixed);
    tcase_add_test(tests, what_is_read_back_is_no_program);
    tcase_add_test(tests, a_fleet_is_bars_of_hours_and_runs);
    tcase_add_test(tests, an_apostrophe_ends_no_label);
    suite_add_tcase(suite, tests);
    return suite;
}
