/*
 * Figures of a comparison: memory before and after as pairs of bars, and the series of both runs in
 * one drawing. Old is always gray, new is blue.
 */
#include "report/gnuplot_script.h"
#include "runs/diff.h"
#include "runs/names.h"

#include <math.h>

#define OLD_COLOR "#8C8C8C"
#define NEW_COLOR "#3B5B85"

enum { PAIRS_MOST = 10, OVERLAYS_MOST = 6, POINTS_LEAST = 4 };

/* Rows of bars, one for each value that at least one run has. */
struct pairs {
    const struct od_diff_bytes *list[PAIRS_MOST];
    const char *labels[PAIRS_MOST];
    size_t n;
};

static void add_pair(struct pairs *pairs, const struct od_diff_bytes *one, const char *label)
{
    if (pairs->n == PAIRS_MOST || (one->old.n == 0 && one->new.n == 0))
        return; /* the value is unknown or 0 in both runs */
    pairs->list[pairs->n] = one;
    pairs->labels[pairs->n++] = label;
}

static uint64_t most_of(const struct pairs *pairs)
{
    uint64_t most = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        most = pairs->list[i]->old.n > most ? pairs->list[i]->old.n : most;
        most = pairs->list[i]->new.n > most ? pairs->list[i]->new.n : most;
    }
    return most;
}

/* Writes the number after its bar; "?" if a run does not have it. */
static void add_value(struct od_gnuplot_script *plot, struct od_count bytes, double at)
{
    double value = od_gnuplot_in_unit(plot, (double)bytes.n);
    if (bytes.known)
        od_gnuplot_say(plot, "set label '%.*f' at %.9g,%.2f left offset 0.4,0", bytes.n > 0 ? 2 : 0,
                       value, value, at);
    else
        od_gnuplot_say(plot, "set label '?' at 0,%.2f left offset 0.4,0", at);
}

static void draw_pairs(struct od_gnuplot_script *plot, const struct pairs *pairs, uint64_t most)
{
    (void)od_gnuplot_block(plot, "row, bytes before, bytes after");
    od_gnuplot_say(plot, "set xrange [0:%.9g]\nset yrange [%.1f:-0.6]\nset xlabel '%s'",
                   1.16 * od_gnuplot_in_unit(plot, (double)most), (double)pairs->n - 0.4,
                   od_bytes_unit_name(plot->unit));
    od_gnuplot_say(plot, "set xtics 0,%.9g nomirror",
                   od_gnuplot_step(1.16 * od_gnuplot_in_unit(plot, (double)most)));
    od_gnuplot_say(plot, "set ytics scale 0 ( \\");
    for (size_t i = 0; i < pairs->n; i++)
        od_gnuplot_say(plot, "    %s'%s' %zu \\", i > 0 ? ", " : "", pairs->labels[i], i);
    od_gnuplot_say(plot, "    )\nset rmargin 3");
    for (size_t i = 0; i < pairs->n; i++) {
        const struct od_diff_bytes *one = pairs->list[i];
        od_gnuplot_row(plot, "%zu %" PRIu64 " %" PRIu64, i, one->old.n, one->new.n);
        add_value(plot, one->old, (double)i - 0.2);
        add_value(plot, one->new, (double)i + 0.2);
    }
    od_gnuplot_say(plot,
                   "set bmargin 5.2\nset key below center horizontal Left reverse samplen 1.2\n"
                   "plot data using (0):($1-0.2):(0):($2/unit):($1-0.37):($1-0.03) with boxxyerror "
                   "linecolor rgb '" OLD_COLOR "' title 'old', \\\n"
                   "    data using (0):($1+0.2):(0):($3/unit):($1+0.03):($1+0.37) with boxxyerror "
                   "linecolor rgb '" NEW_COLOR "' title 'new'");
}

static void add_bars(struct od_figures *figures, const struct pairs *pairs,
                     const struct od_figure *words, struct od_arena *arena)
{
    uint64_t most = most_of(pairs);
    if (most == 0 || most > (uint64_t)1 << 62)
        return;
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, most);
    draw_pairs(&plot, pairs, most);
    struct od_figure figure = *words;
    figure.height = 120 + 52 * (unsigned)pairs->n;
    figure.alt =
        od_arena_printf(arena,
                        "Pairs of bars, old above new, for %zu rows of the tables; the "
                        "largest is %s %s.",
                        pairs->n, od_bytes_print_in(most, plot.unit, (char[OD_BYTES_TEXT]){0}),
                        od_bytes_unit_name(plot.unit));
    od_gnuplot_finish(&plot, &figure);
}

static void add_phases(struct od_figures *figures, const struct od_diff *diff,
                       struct od_arena *arena)
{
    struct pairs pairs = {.n = 0};
    for (size_t i = 0; i < diff->peaks.n; i++)
        add_pair(&pairs, &diff->peaks.items[i],
                 strcmp(diff->peaks.items[i].name, "host_peak") == 0 ? "peak, host"
                                                                     : "peak, device");
    for (size_t i = 0; i < diff->phases.n; i++) {
        const char *label = od_name_phase(diff->phases.items[i].bytes.name);
        add_pair(&pairs, &diff->phases.items[i].bytes,
                 label ? label : od_arena_printf(arena, "phase %zu", i + 1));
    }
    const struct od_figure words = {.name = "before_after",
                                    .title = diff->phases.n > 0 ? "Peak and phases, old and new"
                                                                : "Peak, old and new"};
    add_bars(figures, &pairs, &words, arena);
}

static void add_sizes(struct od_figures *figures, const struct od_diff *diff,
                      struct od_arena *arena)
{
    struct pairs pairs = {.n = 0};
    for (size_t i = 0; i < diff->sizes.n; i++)
        add_pair(&pairs, &diff->sizes.items[i], diff->sizes.items[i].name);
    const struct od_figure words = {.name = "sizes_before_after",
                                    .title = "Sizes in use that changed most"};
    add_bars(figures, &pairs, &words, arena);
}

struct span {
    double first, last, top;
};

static void widen(struct span *span, const struct od_run_series *s)
{
    for (size_t i = 0; i < s->ncourse; i++) {
        span->first = fmin(span->first, s->course[i].x);
        span->last = fmax(span->last, s->course[i].x);
        span->top = fmax(span->top, s->course[i].value);
    }
}

static bool is_drawn(const struct od_run_series *s)
{
    return s && s->known && s->ncourse >= POINTS_LEAST;
}

/* Can both runs share one x axis? Line numbers of two logs cannot, but shares can. */
static bool shares_axis(const struct od_diff_series *one)
{
    const char *x = one->old->x;
    return x && one->new->x &&strcmp(x, one->new->x) == 0 && strcmp(x, "line") != 0;
}

static const char *axis_of(const struct od_diff_series *one)
{
    static const char *const axes[] = {"step", "epoch", "seconds"};
    for (size_t i = 0; shares_axis(one) && i < OD_COUNT_OF(axes); i++)
        if (strcmp(one->old->x, axes[i]) == 0)
            return axes[i];
    return "part of what the log shows, %";
}

static void add_course(struct od_gnuplot_script *plot, const struct od_run_series *s, bool as_part)
{
    struct span own = {HUGE_VAL, -HUGE_VAL, 0};
    widen(&own, s);
    double width = own.last > own.first ? own.last - own.first : 1;
    (void)od_gnuplot_block(plot, as_part ? "percent, value" : "x, value");
    for (size_t i = 0; i < s->ncourse; i++)
        od_gnuplot_row(plot, "%.10g %.16g",
                       as_part ? 100 * (s->course[i].x - own.first) / width : s->course[i].x,
                       s->course[i].value);
}

static void add_limit(struct od_gnuplot_script *plot, const struct od_diff_series *one, double top)
{
    const struct od_run_series *with = one->new->limit_known ? one->new : one->old;
    if (with->limit_known && with->limit > 0 && with->limit <= top)
        od_gnuplot_limit(plot, "", with->limit);
}

static const char *describe(struct od_arena *arena, const struct od_diff_series *one)
{
    const char *unit = od_name_unit(one->metric);
    if (unit)
        return od_arena_printf(arena, "Two lines over the run: old ends at %.3g%s, new at %.3g%s.",
                               one->old->last, unit, one->new->last, unit);
    return od_arena_printf(arena, "Two lines over the run: old ends at %s, new at %s.",
                           od_bytes_text_u64(arena, (uint64_t)fmax(one->old->last, 0)),
                           od_bytes_text_u64(arena, (uint64_t)fmax(one->new->last, 0)));
}

static void add_overlay(struct od_figures *figures, const struct od_diff_series *one,
                        unsigned number, struct od_arena *arena)
{
    struct span span = {HUGE_VAL, -HUGE_VAL, 0};
    const char *metric = od_name_metric(one->metric), *axis = axis_of(one);
    const char *unit = od_name_unit(one->metric);
    bool as_part = strchr(axis, '%') != NULL;
    widen(&span, one->old);
    widen(&span, one->new);
    if (as_part)
        span = (struct span){0, 100, span.top};
    if (!metric || !(span.top > 0) || !(span.top < 0x1p62) || !(span.last > span.first))
        return;
    double top = span.top;
    for (int i = 0; i < 2; i++) {
        const struct od_run_series *s = i == 0 ? one->old : one->new;
        if (s->limit_known &&
            s->limit < 4 * span.top) /* a more distant limit would flatten the curves */
            top = fmax(top, s->limit);
    }
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, unit ? 1 : (uint64_t)top);
    add_course(&plot, one->old, as_part);
    add_course(&plot, one->new, as_part);
    od_gnuplot_say(&plot, "set xrange [%.10g:%.10g]\nset xlabel '%s'\nset xtics %.9g nomirror",
                   span.first, span.last, axis, od_gnuplot_step(span.last - span.first));
    od_gnuplot_y_axis(&plot, top * 1.12,
                      unit ? unit + (*unit == ' ') : od_bytes_unit_name(plot.unit));
    od_gnuplot_say(&plot, "set rmargin 4");
    if (!unit)
        add_limit(&plot, one, top);
    od_gnuplot_say(
        &plot,
        "set bmargin 4.6\nset key below center horizontal Left reverse samplen 1.5\n"
        "plot data index 0 using 1:($2/unit) with lines linewidth 2 dashtype (10,4) linecolor "
        "rgb '" OLD_COLOR "' title 'old', \\\n"
        "    data index 1 using 1:($2/unit) with lines linewidth 2 linecolor rgb "
        "'" NEW_COLOR "' title 'new'");
    const char *device = one->device ? od_figure_device(od_view_of(one->device), arena) : "";
    struct od_figure words = {
        .name = od_arena_printf(arena, "overlay_%u", number),
        .title = od_arena_printf(arena, "%s%s%s, old and new", metric, *device ? ", " : "", device),
        .alt = describe(arena, one),
        .height = 330};
    od_gnuplot_finish(&plot, &words);
}

const struct od_figures *od_diff_figures(const struct od_diff *diff, struct od_arena *arena)
{
    struct od_figures *figures = OD_NEW(arena, struct od_figures);
    add_phases(figures, diff, arena);
    unsigned drawn = 0;
    for (size_t i = 0; i < diff->series.n && drawn < OVERLAYS_MOST; i++) {
        const struct od_diff_series *one = &diff->series.items[i];
        if (is_drawn(one->old) && is_drawn(one->new))
            add_overlay(figures, one, ++drawn, arena);
    }
    add_sizes(figures, diff, arena);
    return figures;
}
