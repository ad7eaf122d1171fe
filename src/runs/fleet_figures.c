/*
 * Figures of a fleet: the most frequent and the most expensive failures. A group is labelled with
 * its producer and cause; groups with equal labels are distinguished by their number in the table.
 */
#include "report/gnuplot_script.h"
#include "runs/fleet_days.h"
#include "runs/fleet_parts.h"
#include "runs/names.h"

#include <math.h>

enum { BARS_MOST = 12 };

struct bars {
    const char *name, *title, *axis;
    int decimals;
    double values[BARS_MOST];
    const char *labels[BARS_MOST];
    size_t n, left; /* left: number of groups without a bar */
};

static const char *label_of(const struct od_fleet_group *group, size_t number,
                            struct od_arena *arena)
{
    const char *cause = od_name_cause(group->runs->cause);
    const char *producer = od_name_producer(group->runs->producer, arena);
    if (!cause)
        cause = "cause not known";
    return producer ? od_arena_printf(arena, "%zu. %s: %s", number, producer, cause)
                    : od_arena_printf(arena, "%zu. %s", number, cause);
}

/* Formats a value. One that rounds to 0 becomes "<0.1". */
static const char *value_of(const struct bars *bars, double value, struct od_arena *arena)
{
    double least = pow(10, -bars->decimals);
    if (value < least / 2)
        return od_arena_printf(arena, "<%.*f", bars->decimals, least);
    return od_arena_printf(arena, "%.*f", bars->decimals, value);
}

static void draw(struct od_gnuplot_script *plot, const struct bars *bars)
{
    double most = 0, step;
    for (size_t i = 0; i < bars->n; i++)
        most = fmax(most, bars->values[i]);
    step = od_gnuplot_step(1.16 * most);
    (void)od_gnuplot_block(plot, "group, value");
    od_gnuplot_say(plot, "set xrange [0:%.9g]\nset yrange [%.1f:-0.6]\nset xlabel '%s'",
                   1.16 * most, (double)bars->n - 0.4, bars->axis);
    od_gnuplot_say(plot, "set xtics 0,%.9g nomirror\nset rmargin 3\nunset ytics",
                   fmax(step, bars->decimals > 0 ? 0.1 : 1));
    for (size_t i = 0; i < bars->n; i++) {
        od_gnuplot_row(plot, "%zu %.10g", i + 1, bars->values[i]);
        od_gnuplot_say(plot, "set label '%s' at 0,%.2f left offset 0.2,0",
                       od_gnuplot_quoted(plot, bars->labels[i]), (double)i - 0.26);
        od_gnuplot_say(plot, "set label '%s' at %.9g,%.2f left offset 0.4,0",
                       value_of(bars, bars->values[i], plot->arena), bars->values[i],
                       (double)i + 0.16);
    }
    od_gnuplot_say(plot, "plot data using (0):($1-1+0.16):(0):2:($1-1):($1-1+0.32) with boxxyerror "
                         "linecolor rgb '#3B5B85'");
}

static void finish(struct od_figures *figures, const struct bars *bars, struct od_arena *arena)
{
    if (bars->n == 0)
        return;
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, 1);
    draw(&plot, bars);
    const char *left =
        bars->left > 0 ? od_arena_printf(arena, " %zu smaller ones are in the table.", bars->left)
                       : "";
    struct od_figure words = {
        .name = bars->name,
        .title = bars->title,
        .alt = od_arena_printf(arena, "A bar for each kind of failure; the first is %s with %s.%s",
                               bars->labels[0], value_of(bars, bars->values[0], arena), left),
        .height = 144 + 46 * (unsigned)bars->n};
    od_gnuplot_finish(&plot, &words);
}

static void add_bar(struct bars *bars, const char *label, double value)
{
    if (!(value > 0))
        return;
    if (bars->n == BARS_MOST) {
        bars->left++;
        return;
    }
    bars->labels[bars->n] = label;
    bars->values[bars->n++] = value;
}

/* ---- failures over the days ---- */

enum { KINDS = 4 }; /* kinds with a color of their own; all others share one */

static const char *const kind_colors[KINDS + 1] = {"#3B5B85", "#1B7A8C", "#A9BCD6", "#2C8A5A",
                                                   "#808080"};

static void add_stretches(struct od_gnuplot_script *plot, const struct od_fleet *fleet,
                          const struct od_fleet_days *days)
{
    double counts[KINDS + 1][OD_FLEET_STRETCHES] = {{0}}, top = 0;
    for (size_t i = 0; i < fleet->groups.n; i++)
        od_fleet_days_count(days, &fleet->groups.items[i], counts[i < KINDS ? i : KINDS]);
    (void)od_gnuplot_block(plot, "stretch of days, failures of each kind up to here");
    for (size_t k = 0; k < days->n; k++) {
        double sums[KINDS + 1], sum = 0;
        for (size_t i = 0; i <= KINDS; i++)
            sums[i] = sum += counts[i][k];
        od_gnuplot_row(plot, "%zu %g %g %g %g %g", k, sums[0], sums[1], sums[2], sums[3], sums[4]);
        top = fmax(top, sum);
    }
    od_gnuplot_say(plot, "set yrange [0:%g]\nset ytics 0,%g nomirror\nset ylabel 'failed runs'",
                   1.08 * top, fmax(od_gnuplot_step(top), 1));
}

/* Draws the stacks from the highest sum down, so that lower ones cover higher ones. */
static void plot_stretches(struct od_gnuplot_script *plot, const struct od_fleet *fleet)
{
    size_t kinds = fleet->groups.n < KINDS ? fleet->groups.n : KINDS;
    bool others = fleet->groups.n > KINDS;
    const char *before = "plot ";
    if (others) {
        od_gnuplot_say(plot, "plot data using 1:6 with boxes linecolor rgb '%s' title 'others', \\",
                       kind_colors[KINDS]);
        before = "";
    }
    for (size_t i = kinds; i-- > 0; before = "")
        od_gnuplot_say(
            plot, "%sdata using 1:%zu with boxes linecolor rgb '%s' title '%s'%s", before, i + 2,
            kind_colors[i],
            od_gnuplot_quoted(plot, label_of(&fleet->groups.items[i], i + 1, plot->arena)),
            i > 0 ? ", \\" : "");
}

static void draw_days(struct od_figures *figures, const struct od_fleet *fleet,
                      struct od_arena *arena)
{
    struct od_fleet_days days = od_fleet_days_of(fleet);
    if (days.n < 2)
        return;
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, 1);
    add_stretches(&plot, fleet, &days);
    od_gnuplot_say(&plot,
                   "set xrange [-0.6:%.1f]\nset boxwidth 0.8\nset style fill solid 1 noborder",
                   (double)days.n - 0.4);
    od_gnuplot_say(
        &plot, "set xtics ('%s' 0, '%s' %zu) nomirror\nset key bmargin left Left reverse maxcols 2",
        days.first, days.last, days.n - 1);
    plot_stretches(&plot, fleet);
    const char *each = days.each > 1 ? od_arena_printf(arena, ", %zu days a bar", days.each) : "";
    struct od_figure words = {
        .name = "failures_by_day",
        .title = od_arena_printf(arena, "Failed runs over time%s", each),
        .alt = od_arena_printf(arena, "Failed runs from %s to %s%s, the most frequent kinds apart.",
                               days.first, days.last, each),
        .height = 330};
    od_gnuplot_finish(&plot, &words);
}

const struct od_figures *od_fleet_figures(struct od_fleet *fleet, struct od_arena *arena)
{
    struct od_figures *figures = OD_NEW(arena, struct od_figures);
    struct bars hours = {.name = "lost_hours",
                         .title = "Hours of devices lost, by kind of failure",
                         .axis = od_fleet_has_devices(fleet) ? "GPU hours" : "hours",
                         .decimals = 1};
    struct bars runs = {
        .name = "failed_runs", .title = "Failed runs, by kind of failure", .axis = "runs"};
    od_fleet_group(fleet);
    for (size_t i = 0; i < fleet->groups.n; i++) {
        const struct od_fleet_group *group = &fleet->groups.items[i];
        const char *label = label_of(group, i + 1, arena);
        if (group->gpu_seconds.known)
            add_bar(&hours, label, (double)group->gpu_seconds.n / 3600);
        add_bar(&runs, label, (double)group->count);
    }
    draw_days(figures, fleet, arena);
    finish(figures, &hours, arena);
    finish(figures, &runs, arena);
    return figures;
}
