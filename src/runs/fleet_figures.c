/*
 * The figures of a fleet: what fails most, and what of it costs most. A group is called by the
 * words for its producer and cause; those of one name are told apart by their number in the table.
 */
#include "base/mem.h"
#include "report/sketch.h"
#include "runs/fleet_parts.h"
#include "runs/names.h"

#include <math.h>

enum { BARS_MOST = 12 };

struct bars {
    const char *name, *title, *axis;
    int decimals;
    double values[BARS_MOST];
    const char *labels[BARS_MOST];
    size_t n, left; /* left: groups that are not drawn */
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

/* What rounds to nothing is not nothing. */
static const char *value_of(const struct bars *bars, double value, struct od_arena *arena)
{
    double least = pow(10, -bars->decimals);
    if (value < least / 2)
        return od_arena_printf(arena, "<%.*f", bars->decimals, least);
    return od_arena_printf(arena, "%.*f", bars->decimals, value);
}

static void draw(struct od_sketch *sketch, const struct bars *bars)
{
    double most = 0, step;
    for (size_t i = 0; i < bars->n; i++)
        most = fmax(most, bars->values[i]);
    step = od_sketch_step(1.16 * most);
    (void)od_sketch_block(sketch, "group, value");
    od_sketch_say(sketch, "set xrange [0:%.9g]\nset yrange [%.1f:-0.6]\nset xlabel '%s'",
                  1.16 * most, (double)bars->n - 0.4, bars->axis);
    od_sketch_say(sketch, "set xtics 0,%.9g nomirror\nset rmargin 3\nunset ytics", fmax(step, 0.1));
    for (size_t i = 0; i < bars->n; i++) {
        od_sketch_row(sketch, "%zu %.10g", i + 1, bars->values[i]);
        od_sketch_say(sketch, "set label '%s' at 0,%.2f left offset 0.2,0", bars->labels[i],
                      (double)i - 0.26);
        od_sketch_say(sketch, "set label '%s' at %.9g,%.2f left offset 0.4,0",
                      value_of(bars, bars->values[i], sketch->arena), bars->values[i],
                      (double)i + 0.16);
    }
    od_sketch_say(sketch,
                  "plot data using (0):($1-1+0.16):(0):2:($1-1):($1-1+0.32) with boxxyerror "
                  "linecolor rgb '#0072B2'");
}

static void finish(struct od_figures *figures, const struct bars *bars, struct od_arena *arena)
{
    if (bars->n == 0)
        return;
    struct od_sketch sketch = od_sketch_start(figures, arena, 1);
    draw(&sketch, bars);
    const char *left =
        bars->left > 0 ? od_arena_printf(arena, " %zu smaller ones are in the table.", bars->left)
                       : "";
    struct od_figure words = {
        .name = bars->name,
        .title = bars->title,
        .alt = od_arena_printf(arena, "A bar for each kind of failure; the first is %s with %s.%s",
                               bars->labels[0], value_of(bars, bars->values[0], arena), left),
        .height = 90 + 46 * (unsigned)bars->n};
    od_sketch_finish(&sketch, &words);
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
    finish(figures, &hours, arena);
    finish(figures, &runs, arena);
    return figures;
}
