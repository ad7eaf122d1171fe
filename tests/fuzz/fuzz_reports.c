/* JSON that claims to be ours: reports compared and added to fleets, fleets merged. Two values are
 * told apart by a line of a '#' alone. */
#include "runs/diff.h"
#include "runs/fleet.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void compare(const struct od_run *old, const struct od_run *new, struct od_arena *arena)
{
    static const struct od_report_options options = {.unicode = true, .folds = true};
    struct od_buf json = {0};
    if (!old || !new)
        return;
    struct od_diff *diff = od_diff_make(old, new, arena);
    od_diff_json(diff, &(struct od_json){.to = &json, .pretty = true});
    od_doc_free(od_diff_outline(diff, &options, NULL));
    (void)od_diff_figures(diff, arena);
    if (old == new && diff->verdict != OD_DIFF_SAME && diff->verdict != OD_DIFF_UNKNOWN)
        abort();
    od_diff_done(diff);
    od_buf_done(&json);
}

/* What a fleet writes, a fleet reads: as many runs, and the same bytes again. */
static void write_again(struct od_fleet *fleet, struct od_arena *arena, struct od_diags *diags)
{
    struct od_buf json = {0};
    struct od_buf again = {0};
    od_fleet_json(fleet, &(struct od_json){.to = &json, .pretty = true});
    od_doc_free(od_fleet_outline(fleet, &(struct od_report_options){.folds = true}, NULL));
    (void)od_fleet_figures(fleet, arena);
    struct od_fleet *copy = od_fleet_new(arena);
    if (!od_fleet_add_json(copy, od_buf_view(&json), "fleet", diags) ||
        od_fleet_count(copy) != od_fleet_count(fleet))
        abort();
    od_fleet_json(copy, &(struct od_json){.to = &again, .pretty = true});
    if (!od_view_eq(od_buf_view(&json), od_buf_view(&again)))
        abort();
    od_fleet_free(copy);
    od_buf_done(&json);
    od_buf_done(&again);
}

static void reports(struct od_ruleset *rules, struct od_view bytes)
{
    static const char mark[] = "\n#\n";
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    size_t end = od_view_find(bytes, OD_VIEW(mark), 0);
    struct od_view first = od_view_head(bytes, end);
    struct od_view second = end < bytes.n ? od_view_from(bytes, end + sizeof mark - 1) : first;
    struct od_fleet *fleet = od_fleet_new(arena);
    struct od_run *old = od_run_read(first, "old", arena, diags);
    struct od_run *new = od_run_read(second, "new", arena, diags);
    (void)rules;
    compare(old, new, arena);
    compare(old, old, arena);
    if (old)
        od_fleet_add(fleet, old);
    if (new)
        od_fleet_add(fleet, new);
    (void)od_fleet_add_json(fleet, second, "fleet", diags);
    write_again(fleet, arena, diags);
    od_fleet_free(fleet);
    od_run_done(old);
    od_run_done(new);
    od_diags_free(diags);
    od_arena_free(arena);
}

static const char *const words[] = {"\"schema\":\"oomdoctor.report/1\"",
                                    "\"schema\":\"oomdoctor.fleet/1\"",
                                    "\"outcome\":\"memory_failure\"",
                                    "\"inputs\":[{",
                                    "\"digest\":",
                                    "\"complete\":true",
                                    "\"settings\":{",
                                    "\"phases\":[{",
                                    "\"allocators\":[{",
                                    "\"sizes\":[{",
                                    "\"candidates\":[{",
                                    "\"incidents\":[{",
                                    "\"tensor\":{",
                                    "\"shape\":[",
                                    "\"dtype\":",
                                    "\"kind\":",
                                    "\"requested_bytes\":",
                                    "\"limit_bytes\":",
                                    "\"series\":[{",
                                    "\"metric\":",
                                    "\"slope_per_x\":",
                                    "\"points\":",
                                    "\"first\":",
                                    "\"last\":",
                                    "\"min\":",
                                    "\"max\":",
                                    "\"diagnosis\":[{",
                                    "\"probability\":",
                                    "\"cause\":",
                                    "\"plan\":{",
                                    "\"batch\":{",
                                    "\"actions\":[{",
                                    "\"runs\":[{",
                                    "\"groups\":[{",
                                    "9223372036854775807",
                                    "1e308",
                                    "-1",
                                    "null",
                                    "\n#\n",
                                    NULL};

const struct od_fuzz od_fuzz_reports = {.name = "reports", .words = words, .one = reports};
