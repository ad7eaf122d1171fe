/*
 * A fleet as a chat message. Uses only the Markdown that both Slack and Teams show: bold, and lists
 * of one level; no tables, headings or code.
 */
#include "runs/fleet_parts.h"
#include "runs/fleet_time.h"
#include "runs/names.h"

enum { KINDS_SHOWN = 8, TEXT_MOST = 80 };

/* Appends text without Markdown. Texts of a fleet's JSON are untrusted: they must not mention
 * people, link or format. */
static void add_plain(struct od_buf *to, const char *text)
{
    struct od_buf visible = {0};
    od_text_visible(od_view_head(od_view_of(text), TEXT_MOST), &visible);
    for (size_t i = 0; i < visible.n; i++) {
        char c = visible.p[i];
        if (c == '&' || c == '<' || c == '>')
            od_buf_add_str(to, c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;");
        else if (!strchr("*_~`[]@|", c))
            od_buf_add_char(to, c);
    }
    od_buf_done(&visible);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void add_opening(struct od_buf *to, const struct od_fleet *fleet)
{
    size_t others = od_fleet_outcomes(fleet, "other_failure");
    struct od_count seconds = od_fleet_seconds(fleet);
    od_buf_printf(to, "**oomdoctor: %zu of %zu run%s ran out of memory**",
                  od_fleet_outcomes(fleet, "memory_failure"), fleet->runs.n, plural(fleet->runs.n));
    if (others > 0)
        od_buf_printf(to, "; %zu failed for other reasons", others);
    od_buf_add_char(to, '.');
    if (seconds.known && seconds.n >= 180)
        od_buf_printf(to, " They took at least %.1f %s.", (double)seconds.n / 3600,
                      od_fleet_has_devices(fleet) ? "GPU hours" : "hours");
    od_buf_add_char(to, '\n');
}

/* Appends the failures of the week that ends with the newest failure, and of the week before. */
static void add_weeks(struct od_buf *to, const struct od_fleet *fleet)
{
    enum { WEEK = 7 };
    const char *newest = "";
    size_t counts[2] = {0}, undated = 0;
    OD_FOR_EACH (const struct od_row_member, run, fleet->runs)
        if (od_fleet_is_failure(run) && strcmp(run->date, newest) > 0)
            newest = run->date;
    if (newest[0] == '\0')
        return;
    OD_FOR_EACH (const struct od_row_member, run, fleet->runs) {
        bool dated = run->date[0] != '\0';
        int64_t days = dated ? od_fleet_day_number(newest) - od_fleet_day_number(run->date) : 0;
        if (!od_fleet_is_failure(run))
            continue;
        undated += !dated;
        if (dated && days < (int64_t)2 * WEEK)
            counts[days / WEEK]++;
    }
    od_buf_printf(to, "\nIn the week to %s: %zu failure%s; in the week before: %zu", newest,
                  counts[0], plural(counts[0]), counts[1]);
    if (undated > 0)
        od_buf_printf(to, "; without a date: %zu", undated);
    od_buf_add_str(to, ".\n");
}

static void add_since(struct od_buf *to, const struct od_fleet *fleet)
{
    if (fleet->since)
        od_buf_printf(to, "\nKinds since %s: %zu new, %zu came back, %zu gone, %zu as before.\n",
                      fleet->since, od_fleet_statuses(fleet, "new"),
                      od_fleet_statuses(fleet, "back"), od_fleet_statuses(fleet, "gone"),
                      od_fleet_statuses(fleet, "ongoing"));
}

static void add_kind(struct od_buf *to, const struct od_fleet_group *group, struct od_arena *arena)
{
    const struct od_row_member *run = group->runs;
    const char *program = od_name_producer(run->program, arena);
    const char *cause = od_name_cause(run->cause);
    od_buf_printf(to, "- **%zu x ", group->count);
    add_plain(to, program ? program : run->program[0] != '\0' ? run->program : "unknown program");
    od_buf_add_str(to, "**: ");
    add_plain(to, cause ? cause : "cause unknown");
    if (run->device[0] != '\0') {
        od_buf_add_str(to, ", ");
        add_plain(to, run->device);
    }
    od_buf_add_char(to, '.');
    if (group->action_title[0] != '\0') {
        od_buf_add_char(to, ' ');
        add_plain(to, group->action_title);
        od_buf_add_char(to, '.');
    }
    od_buf_add_char(to, '\n');
}

void od_fleet_digest(struct od_fleet *fleet, struct od_buf *to)
{
    size_t runs = 0;
    od_fleet_group(fleet);
    add_opening(to, fleet);
    add_since(to, fleet);
    add_weeks(to, fleet);
    od_fleet_group_by_program(fleet);
    if (fleet->groups.n > 0)
        od_buf_add_char(to, '\n');
    for (size_t i = 0; i < fleet->groups.n; i++) {
        if (i < KINDS_SHOWN)
            add_kind(to, &fleet->groups.items[i], fleet->arena);
        else
            runs += fleet->groups.items[i].count;
    }
    if (runs > 0)
        od_buf_printf(to, "\nand %zu more kinds with %zu run%s.\n", fleet->groups.n - KINDS_SHOWN,
                      runs, plural(runs));
}
