#include "case/trend.h"

#include "base/stats.h"

#include <math.h>

/* Thresholds, chosen with generated series of every kind (tests/unit/case/test_trend.c). */
static const double flat_range = 0.01;   /* share of the level; smaller changes do not matter */
static const double small_growth = 0.01; /* share of the level, over the whole series */
static const double sure_score = 2.8;    /* of the Mann-Kendall test: 1 in 400 by chance */
static const double sure_ratio = 12;     /* growth relative to the spread about its line */
/* growth relative to the spread; less is hidden by fluctuations */
static const double least_ratio = 1;
/* share of the first third's slope that remains in the last third */
static const double steady_share = 0.45;
/* on a plateau less than this share of the slope remains */
static const double plateau_share = 0.2;
static const double spiky_share = 0.25;  /* share of points in spikes */
static const double grains = 1.5;        /* height of a spike in units of the rounding */
static const double whole_range = 0.5;   /* share of the level; a flat series stays within it */
static const double spike_height = 0.02; /* share of the level, at least */
static const double early_share = 0.35;  /* share of the series in which a warm-up ends */
/* factor for the slope's interval because of rounding */
static const double least_inflation = 1.15;
/* the same divided by the number of points, for short series */
static const double few_inflation = 3;
static const uint64_t least_growth = 2u << 20;
static const double least_part = 0.25; /* share of the level, if all memory is so small */

/* Log-likelihood of models that end or slow down minus that of models that go on. */
static const double surely_on = -4; /* enough by itself */
static const double doubtful = -0.5;

static const double even_rise = 0.5; /* share of the mean rise */

enum { LATE_RECORDS = 4, RECORDS = 64 };
/* largest gap or rise of an even series relative to the median */
static const double even_share = 2;

enum { LEVELS = 10 }; /* points needed for two levels */
enum { FEW = 6, STANDARD = 24 /* points needed to compare thirds */ };

struct shape {
    const double *x;
    double *v;    /* with its sign inverted if lower values are worse */
    double *base; /* v without short spikes */
    size_t n;
    double level; /* median of |v| */
    double noise, range;
    double least; /* smallest growth that matters */
    double grain; /* rounding of the values; 0 = not known */
    size_t step;  /* index of the first point on another level; 0 = none */
    struct od_slope fit;
    double score;
    double wander; /* spread about the fitted line */
    double inflation;
};

static double third_slope(const struct shape *s, size_t part, double *ret_error)
{
    size_t from = s->n * part / 3, to = s->n * (part + 1) / 3;
    struct od_slope fit = {0};
    *ret_error = 0;
    if (!od_stats_theil_sen(s->x + from, s->v + from, to - from, fmin(s->inflation, 9), &fit))
        return 0;
    *ret_error = (fit.hi - fit.lo) / 3.29; /* width of a 90 % interval in standard deviations */
    return fit.slope;
}

/* Whether it grows at its end as fast as before, as far as the noise shows. */
enum ending { STEADY, SLOWING, PLATEAU };

/* Compares the slopes of the thirds. */
static enum ending ending_by_slopes(const struct shape *s)
{
    double error[3], slope[3];
    for (size_t i = 0; i < 3; i++)
        slope[i] = third_slope(s, i, &error[i]);
    double first = fmax(slope[0], s->fit.slope), last = slope[2];
    double doubt = 2 * hypot(error[2], steady_share * error[0]);
    if (last >= steady_share * first - doubt)
        return STEADY;
    return last < plateau_share * first ? PLATEAU : SLOWING;
}

/* Compares the levels of its parts, for series too noisy to compare slopes. */
static bool is_level_at_end(const struct shape *s)
{
    size_t quarter = s->n / 4;
    double a = od_stats_median(s->v, quarter), b = od_stats_median(s->v + s->n / 2, quarter);
    double c = od_stats_median(s->v + s->n - quarter, quarter);
    double doubt = 2.5 * s->noise * sqrt(fmin(s->inflation, 9)) / sqrt((double)s->n / 4);
    return c - b < 0.25 * (b - a) && c - b < doubt + 0.1 * (b - a);
}

static enum ending ending_of(const struct shape *s, double grain)
{
    struct od_trend_models courses = od_trend_models_compare(
        &(struct od_trend_models_input){.x = s->x, .v = s->v, .n = s->n, .grain = grain});
    if (courses.gain < surely_on)
        return STEADY;
    if (courses.gain > doubtful)
        return courses.best == OD_TREND_ENDS ? PLATEAU : SLOWING;
    enum ending ending = ending_by_slopes(s);
    return ending == STEADY && is_level_at_end(s) ? PLATEAU : ending;
}

/* Does it rise from each point to the next by at least that share of the mean rise? Random order
 * does so in 1 of 720 cases for six points. */
static bool climbs(const struct shape *s, double least)
{
    bool rises = s->n >= FEW;
    double each = least * (s->v[s->n - 1] - s->v[0]) / (double)(s->n - 1);
    for (size_t i = 1; i < s->n; i++)
        rises = rises && s->v[i] > s->v[i - 1] && s->v[i] - s->v[i - 1] >= each;
    return rises;
}

static bool grows(const struct shape *s)
{
    double growth = s->fit.slope * (s->x[s->n - 1] - s->x[0]);
    /* growth in uneven pieces looks autocorrelated, but random fluctuations do not get this far */
    bool sure = s->score >= sure_score || climbs(s, 0) ||
                (s->score > 0 && growth >= sure_ratio * s->wander);
    return sure && growth >= fmax(s->least, least_ratio * s->wander) && s->fit.lo > 0;
}

/* Is it low at first and then on one level, apart from noise? */
static bool warms_up(const struct shape *s)
{
    size_t early = (size_t)(early_share * (double)s->n);
    size_t rest = s->n - early;
    if (early == 0 || rest < 2)
        return false;
    double plateau = od_stats_median(s->base + early, rest);
    double spread = od_stats_spread(s->base + early, rest);
    double gap = fmax(fmax(4 * spread, 3 * s->noise), spike_height * fabs(plateau));
    double low = s->base[0];
    for (size_t i = 1; i < early && i < 3; i++)
        low = fmin(low, s->base[i]);
    double step = 0.5 * (plateau - low);
    size_t still_low = 0;
    for (size_t i = early; i < s->n; i++)
        still_low += s->base[i] < plateau - step;
    return plateau - low > gap && still_low * 20 <= rest;
}

/* The split into two levels with the smallest sum of squares. */
static size_t best_split(const struct shape *s)
{
    double sum = 0, left = 0, most = -1;
    size_t best = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->base[i];
    for (size_t i = 1; i < s->n; i++) {
        left += s->base[i - 1];
        double gap = left / (double)i - (sum - left) / (double)(s->n - i);
        double gain = gap * gap * (double)i * (double)(s->n - i);
        best = gain > most ? i : best;
        most = fmax(gain, most);
    }
    return best;
}

static bool is_on(const double *v, size_t n, double level, double slack)
{
    size_t off = 0;
    for (size_t i = 0; i < n; i++)
        off += fabs(v[i] - level) > slack;
    return off * 20 <= n;
}

static double rise_of(const struct shape *s, size_t from, size_t to)
{
    return s->x[to] > s->x[from] ? (s->v[to] - s->v[from]) / (s->x[to] - s->x[from]) : 0;
}

/* Do both parts of a series rise as fast as the whole, with points missing between them? The
 * missing points explain the step then. */
static bool is_cut_out(const struct shape *s, size_t at)
{
    static const double as_fast = 0.5;
    double whole = as_fast * rise_of(s, 0, s->n - 1);
    return rise_of(s, 0, at - 1) >= whole && rise_of(s, at, s->n - 1) >= whole;
}

/* One level, then a higher one: something was added once and stays. A step near the beginning is a
 * warm-up. A fall is ignored, because it may be the end of the run. */
static size_t find_step(const struct shape *s)
{
    /* few points must be close to their levels, and the levels far apart */
    bool few = s->n < LEVELS;
    size_t least = few ? FEW / 2 : LEVELS / 2, at = s->n >= FEW ? best_split(s) : 0;
    double within = few ? 0.05 : 0.2; /* spread of a level as a share of the step */
    double apart = few ? 0.25 : 0.05; /* step as a share of the median */
    if ((double)at <= early_share * (double)s->n || at < least || s->n - at < least ||
        is_cut_out(s, at))
        return 0;
    double before = od_stats_median(s->base, at);
    double after = od_stats_median(s->base + at, s->n - at);
    double step = after - before;
    bool large = step >= fmax(fmax(apart * s->level, (few ? 0 : 6) * s->noise),
                              fmax(s->least, 2 * s->grain));
    return large && is_on(s->base, at, before, within * step) &&
                   is_on(s->base + at, s->n - at, after, within * step)
               ? at
               : 0;
}

/* Short spikes above a base to which they return. */
static bool is_spiky(const struct shape *s)
{
    double middle = od_stats_median(s->v, s->n);
    double height =
        fmax(fmax(6 * s->noise, 4 * od_stats_spread(s->v, s->n)), spike_height * s->level);
    height = fmax(height, grains * s->grain);
    size_t out = 0, runs = 0, run = 0, longest = 0;
    bool begin = true;
    for (size_t i = 0; i < s->n; i++) {
        bool away = fabs(s->v[i] - middle) > height;
        begin = begin && away; /* a warm-up */
        away = away && !begin;
        out += away;
        runs += away && run == 0;
        run = away ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return runs > 0 && (double)out <= spiky_share * (double)s->n &&
           (double)longest <= fmax(0.1 * (double)s->n, 2) && run == 0;
}

static bool is_flat(const struct shape *s)
{
    struct od_slope fit = s->fit;
    double drift = fabs(fit.slope * (s->x[s->n - 1] - s->x[0]));
    double spread = od_stats_spread(s->v, s->n);
    if (s->range > fmax(whole_range * s->level, 8 * spread))
        return false;
    return spread <= 0.1 * s->level && drift <= fmax(4 * spread, 2 * flat_range * s->level);
}

static enum od_trend trend_without_growth(const struct shape *s)
{
    if (warms_up(s))
        return OD_TREND_WARMUP;
    if (is_spiky(s))
        return OD_TREND_SPIKY;
    return is_flat(s) ? OD_TREND_FLAT : OD_TREND_UNCLEAR;
}

/* Does the series look like a running maximum? Among n random values about log(n) are a new
 * maximum, most of them early. A few late ones prove growth only if they come evenly. */
static bool is_record(const struct shape *s)
{
    size_t early = 0, late = 0;
    double gaps[RECORDS], sizes[RECORDS], last = s->x[0];
    for (size_t i = 1; i < s->n; i++) {
        if (s->v[i] < s->v[i - 1])
            return false;
        if (!(s->v[i] > s->v[i - 1]))
            continue;
        if (early + late < RECORDS) {
            gaps[early + late] = s->x[i] - last;
            sizes[early + late] = s->v[i] - s->v[i - 1];
        }
        last = s->x[i];
        early += 2 * i < s->n;
        late += 2 * i >= s->n;
    }
    size_t n = early + late;
    if (late >= LATE_RECORDS || n > RECORDS)
        return false;
    double gap = od_stats_quantile(gaps, n, 0.9) / od_stats_quantile(gaps, n, 0.5);
    double size = od_stats_quantile(sizes, n, 0.9) / od_stats_quantile(sizes, n, 0.5);
    return n < LATE_RECORDS || fmax(gap, size) > even_share;
}

static enum od_trend trend_of_growth(const struct shape *s, const struct od_trend_input *input,
                                     struct od_stairs *stairs)
{
    struct od_stairs_input of = {.points = input->points,
                                 .x = s->x,
                                 .v = s->base,
                                 .n = s->n,
                                 .noise = s->noise,
                                 .grain = input->grain,
                                 .least = s->least};
    bool found = od_stairs_find(&of, stairs);
    if (!(found && stairs->marked) && is_record(s))
        return warms_up(s) ? OD_TREND_WARMUP : OD_TREND_UNCLEAR;
    if (found)
        return OD_TREND_STAIRCASE;
    if (s->n < LEVELS && climbs(s, even_rise))
        return OD_TREND_LEAK; /* too few points to compare thirds */
    if (s->n < STANDARD)
        return od_stats_median(s->v + s->n / 2, s->n - s->n / 2) - s->v[s->n / 2] <= 0
                   ? OD_TREND_WARMUP
               : ending_of(s, input->grain) == STEADY ? OD_TREND_LEAK
                                                      : OD_TREND_UNCLEAR;
    enum ending ending = ending_of(s, input->grain);
    if (ending != SLOWING)
        return ending == STEADY ? OD_TREND_LEAK : OD_TREND_WARMUP;
    return warms_up(s) ? OD_TREND_WARMUP : OD_TREND_UNCLEAR;
}

static double least_inflation_of(size_t n)
{
    return least_inflation + few_inflation / (double)n;
}

static void measure(struct shape *s)
{
    double *rest = od_mem_alloc(s->n, sizeof *rest);
    struct od_slopes *slopes = od_slopes_new(s->x, s->v, s->n);
    double slope = slopes ? od_slopes_median(slopes) : 0;
    for (size_t i = 0; i < s->n; i++)
        rest[i] = s->v[i] - slope * s->x[i];
    s->inflation = od_stats_inflation(rest, s->n);
    s->wander = od_stats_spread(rest, s->n);
    s->noise = od_stats_noise(s->v, s->n);
    if (slopes)
        s->fit = od_slopes_fit(slopes, fmax(s->inflation, least_inflation_of(s->n)));
    od_slopes_free(slopes);
    s->score = od_stats_mann_kendall(s->v, s->n, s->inflation);
    for (size_t i = 0; i < s->n; i++)
        rest[i] = fabs(s->v[i]);
    s->level = od_stats_median(rest, s->n);
    od_mem_free(rest);
}

static enum od_trend judge(const struct shape *s, const struct od_trend_input *input,
                           struct od_stairs *stairs)
{
    if (s->range <= flat_range * s->level)
        return OD_TREND_FLAT;
    if (s->n < FEW)
        return OD_TREND_UNCLEAR;
    if (s->step > 0)
        return OD_TREND_STEP;
    return grows(s) ? trend_of_growth(s, input, stairs) : trend_without_growth(s);
}

/* Number of first points far off the line, before growth begins (a process that has not loaded its
 * data yet). */
static size_t off_the_line(const struct shape *s)
{
    size_t most = s->n / 4, off = 0;
    double *rest = od_mem_alloc(s->n, sizeof *rest);
    for (size_t i = 0; i < s->n; i++)
        rest[i] = s->v[i] - s->fit.level - s->fit.slope * s->x[i];
    double far = 5 * od_stats_spread(rest + most, s->n - most);
    far = fmax(far, fmax(5 * s->noise, 0.1 * s->least));
    while (off < most && fabs(rest[off]) > far)
        off++;
    od_mem_free(rest);
    return off;
}

/* Mean square difference of residuals between points `apart` positions apart. */
static double mean_square(const struct shape *s, size_t from, size_t apart)
{
    double sum = 0;
    for (size_t i = from; i + apart < s->n; i++) {
        double rest = s->v[i + apart] - s->v[i] - s->fit.slope * (s->x[i + apart] - s->x[i]);
        sum += rest * rest;
    }
    return sum / (double)(s->n - from - apart);
}

/* Growth in pieces of varying size is a random walk about its line: residuals grow with distance,
 * unlike noise. The variance of the walk's steps is that of distant points minus that of neighbors;
 * the slope over n of them has 6 / 5 of it (A. C. Harvey, Forecasting, structural time series
 * models, 1989: trend plus random walk). Outliers are in both and cancel. */
static struct od_slope widened(const struct shape *s, size_t from, size_t apart)
{
    static const double z90 = 1.645;
    size_t n = s->n - from;
    struct od_slope fit = s->fit;
    if (apart < 2)
        return fit;
    double far = mean_square(s, from, apart), near = mean_square(s, from, 1);
    double walk = fmax(far - near, 0) / (double)(apart - 1);
    double more = z90 * sqrt(1.2 * walk * (double)n) / (s->x[s->n - 1] - s->x[from]);
    fit.lo = fit.slope - hypot(fit.slope - fit.lo, more);
    fit.hi = fit.slope + hypot(fit.hi - fit.slope, more);
    return fit;
}

/* Periodic fluctuations, such as evaluations, look like a walk over short distances only. If they
 * hide the growth, larger distances may show it. */
static void widen(struct shape *s, size_t from)
{
    struct od_slope fit = {0};
    for (size_t part = 10; part >= 3 && fit.lo <= 0; part -= 2)
        fit = widened(s, from, (s->n - from) / part);
    s->fit = fit;
}

/* Fits the line of a leak again without the first points that are off it, and its error. */
static void refit(struct shape *s)
{
    size_t off = off_the_line(s);
    if (off > 0)
        (void)od_stats_theil_sen(s->x + off, s->v + off, s->n - off,
                                 fmax(s->inflation, least_inflation_of(s->n)), &s->fit);
    widen(s, off);
}

static void put_slope(const struct shape *s, bool free_memory, struct od_series *series)
{
    double sign = free_memory ? -1 : 1;
    series->slope_known = true;
    series->slope = sign * s->fit.slope;
    series->slope_lo = free_memory ? -s->fit.hi : s->fit.lo;
    series->slope_hi = free_memory ? -s->fit.lo : s->fit.hi;
    series->end_level = sign * (s->fit.level + s->fit.slope * s->x[s->n - 1]);
}

void od_trend_judge(const struct od_trend_input *input, struct od_series *series)
{
    size_t n = input->n;
    bool free_memory = od_series_metric_is_free(series->metric);
    bool bytes = od_series_metric_is_bytes(series->metric);
    bool memory = od_series_metric_unit(series->metric) != OD_SERIES_SECONDS;
    struct shape s = {.x = input->x, .n = n, .range = series->max - series->min};
    struct od_stairs stairs = {0};
    series->trend = OD_TREND_UNCLEAR;
    series->end_level = series->last;
    if (n == 0)
        return;
    s.v = od_mem_alloc(2 * n, sizeof *s.v);
    s.base = s.v + n;
    for (size_t i = 0; i < n; i++)
        s.v[i] = free_memory ? -input->points[i].value : input->points[i].value;
    size_t window = n / 20 < 4 ? n / 20 : 4;
    od_stats_smooth(s.v, n, 2 * window + 1, s.base);
    measure(&s);
    s.grain = input->grain;
    /* free memory is judged by the memory in use, if the total is known */
    if (free_memory && series->limit_known && series->limit > s.level)
        s.level = series->limit - s.level;
    s.least =
        fmax(small_growth * s.level, bytes ? fmin((double)least_growth, least_part * s.level) : 0);
    s.step = find_step(&s);
    series->trend = judge(&s, input, &stairs);
    if (series->trend == OD_TREND_STEP)
        series->step_line = input->points[s.step].line;
    if (series->trend == OD_TREND_LEAK) {
        refit(&s);
        if (s.fit.lo <= 0)
            series->trend = OD_TREND_UNCLEAR;
    }
    if (n >= FEW && s.x[n - 1] > s.x[0])
        put_slope(&s, free_memory, series);
    /* a duration cannot leak; its slope shows the growth */
    if (!memory && (series->trend == OD_TREND_LEAK || series->trend == OD_TREND_STAIRCASE))
        series->trend = OD_TREND_UNCLEAR;
    if (series->trend == OD_TREND_STAIRCASE) {
        series->end_slack = stairs.gap;
    }
    /* with the original values: smoothing moves a jump away from its mark */
    if (series->trend == OD_TREND_LEAK || series->trend == OD_TREND_STAIRCASE)
        series->phase = od_stairs_growing_phase(input->points, s.v, n);
    if (bytes && !free_memory)
        od_stairs_growth(input->points, s.v, n, series->grown_in);
    od_mem_free(s.v);
}
