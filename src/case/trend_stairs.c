#include "case/trend.h"

#include "base/stats.h"

#include <math.h>

enum { BORDERS_MAX = 512, LEAST_JUMPS = 3, LEAST_RUN = 3 };

static const double inside_share = 0.3; /* largest share of the growth between the jumps */
static const double down_share = 0.3;   /* largest share of the growth that may be lost again */
/* difference between short and long gaps as a share of the median gap */
static const double uneven_share = 0.8;
static const double line_excess = 1.6; /* sum of squares of a line relative to that of stairs */
static const double phase_share = 0.7; /* share of the growth that makes a phase the growing one */

/* Borders of segments: at[i] is the first point of segment i + 1. */
struct borders {
    size_t at[BORDERS_MAX];
    size_t n;
    bool marked; /* marked in the log */
};

static bool is_marked(const struct od_fold_point *points, size_t i, enum od_series_mark mark)
{
    return points[i].marks[mark] != points[i - 1].marks[mark];
}

static void find_marked(const struct od_stairs_input *in, enum od_series_mark mark,
                        struct borders *borders)
{
    borders->n = 0;
    borders->marked = true;
    for (size_t i = 1; i < in->n && borders->n < BORDERS_MAX; i++)
        if (is_marked(in->points, i, mark))
            borders->at[borders->n++] = i;
}

struct steps {
    double up, down, inside; /* sums of the growth at the borders and between them */
    double jumps[BORDERS_MAX];
};

static double median_of(const struct od_stairs_input *in, size_t from, size_t to)
{
    return od_stats_median(in->v + from, to - from);
}

/* Measures growth between and at the borders from the medians of half segments. A straight line has
 * all growth between the borders, stairs have all at the borders. */
static void measure_steps(const struct od_stairs_input *in, const struct borders *b,
                          struct steps *steps)
{
    double before = 0, slack = 0;
    for (size_t k = 0; k <= b->n; k++) {
        size_t from = k == 0 ? 0 : b->at[k - 1], to = k == b->n ? in->n : b->at[k];
        size_t half = (to - from + 1) / 2;
        double first = median_of(in, from, from + half), second = median_of(in, to - half, to);
        double rise = second - first; /* half of the growth within the segment */
        if (k > 0) {
            double jump = first - before - 0.5 * (slack + rise);
            steps->jumps[k - 1] = jump;
            steps->up += fmax(jump, 0);
            steps->down += fmax(-jump, 0);
        }
        steps->inside += 2 * rise;
        before = second;
        slack = rise;
    }
}

/* Checks whether enough jumps count and whether the latest came when it was due. */
static bool goes_on(const struct od_stairs_input *in, const struct borders *b,
                    const struct steps *steps, double *ret_gap)
{
    double gaps[BORDERS_MAX], last = 0;
    size_t jumps = 0, ngaps = 0, late = 0;
    double sizes[BORDERS_MAX];
    for (size_t k = 0; k < b->n; k++)
        sizes[k] = steps->jumps[k];
    double large = 0.3 * od_stats_quantile(sizes, b->n, 0.75);
    large = fmax(large, fmax(2 * in->noise, 2 * in->grain));
    for (size_t k = 0; k < b->n; k++) {
        if (steps->jumps[k] < large)
            continue;
        double at = in->x[b->at[k]];
        if (jumps > 0)
            gaps[ngaps++] = at - last;
        last = at;
        jumps++;
        late += 2 * at > in->x[0] + in->x[in->n - 1];
    }
    if (jumps < LEAST_JUMPS || 3 * late < jumps)
        return false;
    /* unmarked jumps must come at even distances, otherwise the series is a leak in pieces or a
     * running maximum */
    double shortest = od_stats_quantile(gaps, ngaps, 0.2),
           longest = od_stats_quantile(gaps, ngaps, 0.8);
    double gap = od_stats_quantile(gaps, ngaps, 0.5);
    if (!b->marked && longest - shortest > uneven_share * gap)
        return false;
    *ret_gap = gap;
    return in->x[in->n - 1] - last <= 2 * gap;
}

/* Compares the residuals of a line with those of stairs with these borders. */
static bool beat_a_line(const struct od_stairs_input *in, const struct borders *b)
{
    double by_stairs = 0, by_line = 0, slope = 0, norm = 0;
    double middle = 0, center = 0;
    for (size_t i = 0; i < in->n; i++) {
        middle += in->v[i] / (double)in->n;
        center += in->x[i] / (double)in->n;
    }
    for (size_t i = 0; i < in->n; i++) {
        slope += (in->x[i] - center) * (in->v[i] - middle);
        norm += (in->x[i] - center) * (in->x[i] - center);
    }
    slope /= norm;
    for (size_t k = 0, i = 0; k <= b->n; k++) {
        size_t from = i, to = k == b->n ? in->n : b->at[k];
        double level = 0;
        for (; i < to; i++)
            level += in->v[i] / (double)(to - from);
        for (i = from; i < to; i++) {
            double off = in->v[i] - middle - slope * (in->x[i] - center);
            by_stairs += (in->v[i] - level) * (in->v[i] - level);
            by_line += off * off;
        }
    }
    return by_line > line_excess * by_stairs;
}

static bool are_stairs(const struct od_stairs_input *in, const struct borders *b, double *ret_gap)
{
    struct steps steps = {0};
    /* segments of one or two points cannot be recognized as flat */
    if (b->n < LEAST_JUMPS || b->n == BORDERS_MAX || in->n < LEAST_RUN * (b->n + 1))
        return false;
    measure_steps(in, b, &steps);
    double growth = steps.up - steps.down + steps.inside;
    double doubt =
        2.5 * in->noise * sqrt((double)(b->n + 1) * (double)(b->n + 1) * 4 / (double)in->n);
    return growth >= in->least && steps.inside <= inside_share * growth &&
           steps.inside >= -inside_share * growth && doubt <= 0.5 * growth &&
           steps.down <= down_share * steps.up && goes_on(in, b, &steps, ret_gap) &&
           beat_a_line(in, b);
}

static enum od_series_phase phase_between(const struct od_fold_point *points, size_t i)
{
    bool validation = is_marked(points, i, OD_MARKED_VALIDATION);
    bool checkpoint = is_marked(points, i, OD_MARKED_CHECKPOINT);
    bool load = is_marked(points, i, OD_MARKED_LOAD);
    if (validation + checkpoint + load > 1)
        /* several phases passed, and the marks do not show which one grew */
        return OD_SERIES_PHASE_NONE;
    return validation   ? OD_SERIES_PHASE_VALIDATION
           : checkpoint ? OD_SERIES_PHASE_CHECKPOINT
           : load       ? OD_SERIES_PHASE_LOAD
                        : OD_SERIES_PHASE_TRAIN;
}

void od_stairs_growth(const struct od_fold_point *points, const double *v, size_t n,
                      double growth[OD_SERIES_PHASE_CHECKPOINT + 1])
{
    for (size_t i = 1; i < n; i++)
        growth[phase_between(points, i)] += v[i] - v[i - 1];
    for (size_t p = 0; p <= OD_SERIES_PHASE_CHECKPOINT; p++)
        growth[p] = fmax(growth[p], 0);
}

enum od_series_phase od_stairs_growing_phase(const struct od_fold_point *points, const double *v,
                                             size_t n)
{
    double growth[OD_SERIES_PHASE_CHECKPOINT + 1] = {0}, all = 0;
    size_t count[OD_SERIES_PHASE_CHECKPOINT + 1] = {0};
    size_t said = 0;
    for (size_t i = 1; i < n; i++) {
        enum od_series_phase phase = phase_between(points, i);
        growth[phase] += v[i] - v[i - 1];
        count[phase]++;
        all += v[i] - v[i - 1];
        said += points[i].phase == OD_SERIES_PHASE_TRAIN;
    }
    for (enum od_series_phase p = OD_SERIES_PHASE_TRAIN; p <= OD_SERIES_PHASE_CHECKPOINT; p++) {
        bool every = count[p] + 1 >= n; /* nothing to compare with */
        if (growth[p] < phase_share * all || count[p] < LEAST_JUMPS)
            continue;
        if (!every || (p == OD_SERIES_PHASE_TRAIN && 2 * said > n))
            return p;
    }
    return OD_SERIES_PHASE_NONE;
}

bool od_stairs_find(const struct od_stairs_input *in, struct od_stairs *ret_stairs)
{
    static const enum od_series_mark marks[] = {OD_MARKED_VALIDATION, OD_MARKED_EPOCH,
                                                OD_MARKED_CHECKPOINT, OD_MARKED_LOAD};
    struct borders borders;
    bool found = false;
    for (size_t i = 0; i < OD_COUNT_OF(marks) && !found; i++) {
        find_marked(in, marks[i], &borders);
        found = are_stairs(in, &borders, &ret_stairs->gap);
    }
    if (!found) {
        double noise = fmax(in->noise, 0.02 * in->least);
        struct od_change_rules rules = {.penalty = 12 * noise * noise * log((double)in->n),
                                        .min_run = LEAST_RUN,
                                        .max = BORDERS_MAX - 1};
        borders.marked = false;
        borders.n = od_stats_change_points(in->v, in->n, &rules, borders.at);
        found = are_stairs(in, &borders, &ret_stairs->gap);
    }
    ret_stairs->marked = borders.marked;
    return found;
}
