/*
 * Growth up to an unexplained kill.
 */
#include "failure/growth.h"

enum { POINTS_LEAST = 6, POINTS_MOST = 4096 };

static const double explains =
    0.75; /* share of the final value: a growth to four times the first value */
static const double not_slower = 0.5; /* rate of growth in the last third, relative to the mean */
static const double at_its_most = 0.98;
static const double in_validation = 0.6; /* share of the growth */

struct points {
    /* points of all phases of the program, in the order of the log */
    OD_VEC(struct od_point) list;
};

static int by_line(const void *left, const void *right)
{
    const struct od_point *l = left, *r = right;
    return (l->line > r->line) - (l->line < r->line);
}

static bool is_level(const struct od_series *s)
{
    return s->metric == OD_SERIES_HOST_RSS || s->metric == OD_SERIES_HOST_USED;
}

/* Collects the points of all phases, because one phase alone does not show the highest value. */
static void gather(const struct od_case *c, const struct od_series *of, uint64_t until,
                   struct points *points)
{
    for (size_t i = 0; i < c->series.n; i++) {
        const struct od_series *s = &c->series.items[i];
        bool validates =
            s->phase == OD_SERIES_PHASE_VALIDATION || od_view_eq_str(s->name, "validation");
        for (size_t k = 0; od_series_is_same(s, of) && k < s->nsamples; k++) {
            struct od_point point = s->samples[k];
            if (validates)
                point.phase = OD_SERIES_PHASE_VALIDATION;
            if (point.line < until && points->list.n < POINTS_MOST)
                od_vec_push(&points->list, point);
        }
    }
    if (points->list.n > 1)
        qsort(points->list.items, points->list.n, sizeof *points->list.items, by_line);
}

/* Is the series highest at the end, four times its first value, and not slower in its growth than
 * before? */
static bool goes_on(const struct points *points, double *ret_grown)
{
    size_t n = points->list.n;
    const struct od_point *p = points->list.items;
    if (n < POINTS_LEAST)
        return false;
    double first = p[0].value, last = p[n - 1].value, most = 0;
    for (size_t i = 0; i < n; i++)
        most = p[i].value > most ? p[i].value : most;
    size_t third = n - 1 - (n + 1) / 3;
    double pace = (last - first) / (double)(n - 1);
    double end_pace = (last - p[third].value) / (double)(n - 1 - third);
    *ret_grown = last - first;
    return last > 0 && (last - first) / last >= explains && last >= at_its_most * most &&
           end_pace >= not_slower * pace;
}

/* Share of validation in the growth after the first validation began. Memory loaded earlier does
 * not count. */
static double share_in_validation(const struct od_point *p, size_t n)
{
    double grown = 0, before = -1;
    for (size_t i = 1; i < n; i++) {
        bool validates = p[i].phase == OD_SERIES_PHASE_VALIDATION;
        before = validates && before < 0 ? p[i - 1].value : before;
        grown += validates ? p[i].value - p[i - 1].value : 0;
    }
    return before >= 0 && p[n - 1].value > before ? grown / (p[n - 1].value - before) : 0;
}

bool od_growth_until(const struct od_case *c, const struct od_incident *kill,
                     struct od_growth *ret_growth)
{
    bool found = false;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        struct points points = {0};
        struct od_growth growth = {.series = s, .reached = true};
        if (!is_level(s) || s->at.source != kill->at.source ||
            (s->from_start && !od_growth_has_steps(c)))
            continue;
        gather(c, s, kill->at.line, &points);
        bool last =
            points.list.n > 0 && points.list.items[points.list.n - 1].line == s->last_at.line;
        if (last && goes_on(&points, &growth.grown) &&
            (!found || growth.grown > ret_growth->grown)) {
            growth.share = growth.grown / s->last;
            growth.before = s->last - growth.grown;
            growth.measured = points.list.n;
            growth.in_validation =
                share_in_validation(points.list.items, points.list.n) >= in_validation;
            *ret_growth = growth;
            found = true;
        }
        od_vec_done(&points.list);
    }
    return found;
}
