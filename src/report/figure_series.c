/* Figure: one metric of one device and process over the run, its limit, the forecast up to the
 * limit, and the failure. */
#include "report/figure_parts.h"
#include "report/outline.h"
#include "report/words.h"

#include <math.h>

enum { TIMELINES_MOST = 6, POINTS_LEAST = 4, COLUMNS = 300, HEIGHT = 320, BANDS_MOST = 60 };

/* The forecast runs to the limit, but at most this many times the length of the run. */
enum { SPANS_AHEAD = 9 };

/* Phases that are shaded; training has the plain background. */
static const struct shade {
    enum od_series_phase phase;
    const char *color;
} shades[] = {{OD_SERIES_PHASE_VALIDATION, "#B31B7A8C"},
              {OD_SERIES_PHASE_CHECKPOINT, "#B32C8A5A"},
              {OD_SERIES_PHASE_LOAD, "#B3A9BCD6"}};

/* How well a series explains a failure; the higher comes first. */
static int worth(const struct od_series *s)
{
    static const int trends[] = {
#define OD_TREND_WORDS(constant, words, worth) [OD_TREND_##constant] = worth,
#include "report/words.def"
    };
    return trends[s->trend] * 4 + s->limit_known * 2 + s->exhausts_known;
}

static const char *axis_words(enum od_series_x x)
{
    static const char *const words[] = {[OD_X_STEP] = "step",
                                        [OD_X_EPOCH] = "epoch",
                                        [OD_X_SECONDS] = "seconds",
                                        [OD_X_LINE] = "line of the log"};
    return words[x];
}

/* The curve to draw, in bytes. */
struct course {
    const struct od_series *s;
    const char *axis;
    double x_first, x_last, x_end; /* x of the first and the last point; end of the axis */
    double top;
    bool forecast;
    bool failed;
    double x_failure;
};

/* Position of a line of the log on the axis; false before the first point or in another file. */
static bool place_of(const struct course *course, const struct od_prov *at, double *ret_x)
{
    const struct od_series *s = course->s;
    const struct od_point *last = &s->samples[s->nsamples - 1];
    if (at->source != s->at.source || at->line == 0 || at->line < s->samples[0].line)
        return false;
    if (at->line >= last->line) {
        *ret_x = last->x;
        return true;
    }
    size_t i = 1;
    while (s->samples[i].line < at->line)
        i++;
    *ret_x = s->samples[i].x;
    return true;
}

static struct course course_of(const struct od_series *s, const struct od_report *report)
{
    struct course course = {.s = s,
                            .axis = s->points > 0 ? axis_words(s->x) : "recorded event",
                            .x_first = s->samples[0].x,
                            .x_last = s->samples[s->nsamples - 1].x};
    double span = course.x_last - course.x_first;
    course.x_end = course.x_last;
    course.top = s->limit_known && s->limit > s->max ? s->limit : s->max;
    /* Near the end of the axis the forecast needs no label. */
    course.forecast =
        s->exhausts_known && s->slope_known && s->exhausts_x > course.x_last + 0.05 * span;
    if (course.forecast)
        course.x_end = fmin(fmax(s->exhausts_x, fmin(s->exhausts_hi, 1e300)),
                            course.x_last + SPANS_AHEAD * span);
    if (report->diagnosis->failure->run.ended)
        course.failed =
            place_of(&course, &report->diagnosis->failure->run.ended->at, &course.x_failure);
    course.x_end += 0.03 * span;
    return course;
}

static void add_points(struct od_gnuplot_script *plot, const struct course *course)
{
    const struct od_series *s = course->s;
    (void)od_gnuplot_block(plot, od_arena_printf(plot->arena, "%s, bytes", course->axis));
    size_t stride = s->nsamples / COLUMNS + 1;
    for (size_t i = 0; i < s->nsamples; i += stride) {
        size_t low = i, high = i;
        for (size_t k = i; k < i + stride && k < s->nsamples; k++) {
            low = s->samples[k].value < s->samples[low].value ? k : low;
            high = s->samples[k].value > s->samples[high].value ? k : high;
        }
        size_t first = low < high ? low : high, second = low < high ? high : low;
        od_gnuplot_row(plot, "%.10g %.16g", s->samples[first].x, s->samples[first].value);
        if (second != first)
            od_gnuplot_row(plot, "%.10g %.16g", s->samples[second].x, s->samples[second].value);
    }
}

/* The stretch of points of one phase that begins at i; returns where it ends. */
static size_t end_of_phase(const struct od_series *s, size_t i)
{
    size_t end = i + 1;
    while (end < s->nsamples && s->samples[end].phase == s->samples[i].phase)
        end++;
    return end;
}

static size_t count_bands(const struct od_series *s, enum od_series_phase phase)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nsamples; i = end_of_phase(s, i))
        n += s->samples[i].phase == phase;
    return n;
}

/* A phase that repeats too often to be distinguished is only mentioned in the title. */
static bool is_shaded(const struct od_series *s, const struct shade *shade)
{
    size_t n = count_bands(s, shade->phase);
    return n > 0 && n <= BANDS_MOST;
}

static void add_bands(struct od_gnuplot_script *plot, const struct od_series *s,
                      const struct shade *shade)
{
    for (size_t i = 0, end; i < s->nsamples; i = end) {
        end = end_of_phase(s, i);
        if (s->samples[i].phase == shade->phase)
            od_gnuplot_say(plot,
                           "set object rectangle from %.10g, graph 0 to %.10g, graph 1 behind "
                           "fillcolor rgb '%s' fillstyle solid noborder",
                           s->samples[i > 0 ? i - 1 : 0].x, s->samples[end - 1].x, shade->color);
    }
}

/* Shades the phases. Returns true if one is shaded, which needs a legend. */
static bool add_phases(struct od_gnuplot_script *plot, const struct course *course)
{
    bool any = false;
    for (size_t i = 0; i < OD_COUNT_OF(shades); i++) {
        if (!is_shaded(course->s, &shades[i]))
            continue;
        add_bands(plot, course->s, &shades[i]);
        any = true;
    }
    return any;
}

static void add_phase_keys(struct od_gnuplot_script *plot, const struct od_series *s)
{
    for (size_t i = 0; i < OD_COUNT_OF(shades); i++)
        if (is_shaded(s, &shades[i]))
            od_gnuplot_say(plot,
                           "    NaN with boxes fillstyle solid noborder fillcolor rgb '%s' title "
                           "'%s', \\",
                           shades[i].color, od_series_phase_name(shades[i].phase));
}

static double within(const struct course *course, double value)
{
    return fmax(0, fmin(value, course->top));
}

static void add_forecast(struct od_gnuplot_script *plot, const struct course *course)
{
    enum { STEPS = 40 };
    const struct od_series *s = course->s;
    (void)od_gnuplot_block(plot, "forecast: where, lowest, highest, expected bytes");
    double from = s->end_level, slack = fmax(s->end_slack, 0);
    for (int i = 0; i <= STEPS; i++) {
        double ahead = (course->x_end - course->x_last) * i / STEPS;
        od_gnuplot_row(plot, "%.10g %.16g %.16g %.16g", course->x_last + ahead,
                       within(course, from + s->slope_lo * fmax(ahead - slack, 0)),
                       within(course, from + s->slope_hi * (ahead + slack)),
                       within(course, from + s->slope * ahead));
    }
}

static void add_frame(struct od_gnuplot_script *plot, const struct course *course)
{
    const struct od_series *s = course->s;
    double failed = course->failed ? course->x_failure : course->x_first - 1;
    bool left = failed - course->x_first > (course->x_end - course->x_first) / 2;
    od_gnuplot_say(plot, "x_first = %.10g\nx_end = %.10g\nx_words = '%s'\ntop = %.9g",
                   course->x_first, course->x_end, course->axis, course->top);
    od_gnuplot_say(plot, "limit = %.9g\nlimit_words = 'limit %s'",
                   s->limit_known && s->limit > 0 ? s->limit : 0,
                   od_bytes_text_u64(plot->arena, (uint64_t)s->limit));
    od_gnuplot_say(plot, "failed = %.10g\nfailed_side = '%s'", failed,
                   left ? "right offset -0.5,0" : "left offset 0.5,0");
    od_gnuplot_run(plot, "timeline");
}

static const char *describe(const struct od_gnuplot_script *plot, const struct course *course)
{
    const struct od_series *s = course->s;
    const char *phase = od_series_phase_name(s->phase);
    return od_arena_printf(
        plot->arena, "A line over %zu points, from %s to %s: %s%s%s.%s", s->nsamples,
        od_bytes_text_u64(plot->arena, (uint64_t)fmax(s->first, 0)),
        od_bytes_text_u64(plot->arena, (uint64_t)fmax(s->last, 0)), od_trend_name(s->trend),
        phase ? ", in the phase of " : "", phase ? phase : "",
        course->forecast ? " A band beyond its end shows when the limit would be reached." : "");
}

static void add_timeline(struct od_figures *figures, const struct od_report *report,
                         const struct od_series *s, struct od_arena *arena)
{
    struct course course = course_of(s, report);
    if (!(course.top > 0) || !(course.top < 0x1p63) || !(course.x_end > course.x_first))
        return;
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, (uint64_t)course.top);
    add_points(&plot, &course);
    add_frame(&plot, &course);
    bool keys = add_phases(&plot, &course) || course.forecast;
    od_gnuplot_say(&plot, keys ? "set bmargin 5.4" : "");
    if (course.forecast) {
        add_forecast(&plot, &course);
        od_gnuplot_say(
            &plot,
            "plot data index 1 using 1:($2/unit):($3/unit) with filledcurves fillcolor rgb "
            "'#C0C8381F' title 'if growth continues (90 %%)', \\\n    data index 1 using "
            "1:($4/unit) with lines linewidth 1.5 dashtype 3 linecolor rgb '#C8381F' notitle, \\");
    } else {
        od_gnuplot_say(&plot, "plot \\");
    }
    add_phase_keys(&plot, s);
    od_gnuplot_say(&plot, "    data index 0 using 1:($2/unit) with lines linewidth 2 linecolor "
                          "rgb '#3B5B85' notitle");
    const char *device = od_figure_device(s->device, arena);
    const char *rank = s->rank.known  ? od_arena_printf(arena, ", rank %" PRIu64, s->rank.n)
                       : s->pid.known ? od_arena_printf(arena, ", process %" PRIu64, s->pid.n)
                                      : "";
    const char *phase = od_series_phase_name(s->phase);
    struct od_figure words = {.name = od_arena_printf(arena, "timeline_%u", ++figures->timelines),
                              .series = s,
                              .title =
                                  od_arena_printf(arena, "%s%s%s%s%s%s", od_words_metric(s->metric),
                                                  *device ? ", " : "", device, rank,
                                                  phase ? ", grows in " : "", phase ? phase : ""),
                              .alt = describe(&plot, &course),
                              .height = keys ? HEIGHT + 30 : HEIGHT};
    od_gnuplot_finish(&plot, &words);
}

/* Draws what an allocator recorded about itself: its highest level in each stretch of events. */
static void add_recorded(struct od_figures *figures, const struct od_report *report,
                         struct od_arena *arena)
{
    const struct od_allocator *a = od_outline_allocator(report);
    size_t n = a ? a->dump.history.n : 0;
    if (n < POINTS_LEAST)
        return;
    struct od_point *points = OD_NEW_N(arena, n, struct od_point);
    struct od_series *s = OD_NEW(arena, struct od_series);
    *s = (struct od_series){.metric = OD_SERIES_DEVICE_USED,
                            .device = a->device,
                            .samples = points,
                            .nsamples = n,
                            .first = (double)a->dump.history.items[0].allocated,
                            .last = (double)a->dump.history.items[n - 1].allocated};
    for (size_t i = 0; i < n; i++) {
        points[i].x = (double)a->dump.history.items[i].event;
        points[i].value = (double)a->dump.history.items[i].allocated;
        s->max = fmax(s->max, points[i].value);
    }
    add_timeline(figures, report, s, arena);
}

void od_figure_timelines(struct od_figures *figures, const struct od_report *report,
                         struct od_arena *arena)
{
    const struct od_case *c = report->c;
    bool *drawn = OD_NEW_N(arena, c->series.n + 1, bool);
    add_recorded(figures, report, arena);
    for (int n = 0; n < TIMELINES_MOST; n++) {
        size_t best = c->series.n;
        for (size_t i = 0; i < c->series.n; i++) {
            const struct od_series *s = &c->series.items[i];
            if (!drawn[i] && s->nsamples >= POINTS_LEAST && od_series_metric_is_bytes(s->metric) &&
                (best == c->series.n || worth(s) > worth(&c->series.items[best])))
                best = i;
        }
        if (best == c->series.n)
            return;
        drawn[best] = true;
        add_timeline(figures, report, &c->series.items[best], arena);
    }
}
