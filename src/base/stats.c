#include "base/stats.h"

#include <math.h>

/* 1 / quantile(0.75) of the standard normal distribution */
static const double normal_mad = 1.482602218505602;
static const double z90 = 1.6448536269514722;

/* Merges two sorted ranges; returns the number of inversions (pairs with the larger one first). */
static uint64_t merge(const double *from, double *to, size_t low, size_t middle, size_t high)
{
    uint64_t falls = 0;
    size_t a = low, b = middle;
    for (size_t i = low; i < high; i++) {
        bool second = b < high && (a >= middle || from[b] < from[a]);
        falls += second ? middle - a : 0;
        to[i] = from[second ? b++ : a++];
    }
    return falls;
}

static uint64_t sort(double *values, size_t n)
{
    double *room = od_mem_alloc(n, sizeof *room), *from = values, *to = room;
    uint64_t falls = 0;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t middle = i + width < n ? i + width : n;
            falls += merge(from, to, i, middle, middle + width < n ? middle + width : n);
        }
        double *swap = from;
        from = to;
        to = swap;
    }
    if (from != values)
        memcpy(values, from, n * sizeof *values);
    od_mem_free(room);
    return falls;
}

/* Moves the values below the pivot (or_equal: or equal to it) to the beginning and returns where
 * the others start. No branch depends on a value, because a log's values are in no predictable
 * order. */
static size_t part_at(double *values, size_t low, size_t high, double pivot, bool or_equal)
{
    size_t at = low;
    for (size_t i = low; i <= high; i++) {
        double value = values[i];
        values[i] = values[at];
        values[at] = value;
        at += or_equal ? value <= pivot : value < pivot;
    }
    return at;
}

static double middle_of(double a, double b, double c)
{
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* Quickselect: finds the value that sorting values[low..high] would put at index k. */
struct search {
    double *values;
    size_t low, high, k;
    size_t end; /* the next larger value is after k, up to this index */
};

/* Partitions around the pivot and narrows [low, high] to the part with index k: no value before low
 * is larger, no value after high is smaller. True if values[k] is in its final place. */
static bool narrow(struct search *s, double pivot)
{
    size_t same = part_at(s->values, s->low, s->high, pivot, false);
    bool before = s->k < same;
    if (before)
        s->high = same - 1;
    else
        s->low = part_at(s->values, same, s->high, pivot, true);
    size_t end = before ? same : s->low;
    if (s->k + 1 < end)
        s->end = end - 1;
    return !before && s->k < s->low;
}

enum { ROUNDS = 64, MANY = 1000 }; /* only adversarial values need more rounds */

static void select_of_few(struct search *s)
{
    for (unsigned round = 0; s->low < s->high && round < ROUNDS; round++) {
        const double *from = s->values + s->low;
        size_t last = s->high - s->low;
        if (narrow(s, middle_of(from[0], from[last / 2], from[last])))
            return;
    }
    if (s->low < s->high)
        (void)sort(s->values + s->low, s->high - s->low + 1);
}

/* Estimates a pivot slightly beyond [k] from a sample of the values, as R. W. Floyd and R. L.
 * Rivest do in CACM 18 (1975) 165. */
static double near_pivot(const struct search *s)
{
    enum { SOME = 255 };
    double some[SOME], n = (double)(s->high - s->low + 1);
    for (size_t i = 0; i < SOME; i++)
        some[i] = s->values[s->low + (size_t)((double)i * n / SOME)];
    double share = (double)(s->k - s->low) / n, error = sqrt(share * (1 - share) * SOME);
    double at = share * SOME + (share < 0.5 ? 2 : -2) * error;
    struct search among = {some, 0, SOME - 1, (size_t)fmin(fmax(at, 0), SOME - 1), SOME - 1};
    select_of_few(&among);
    return some[among.k];
}

static void select_within(struct search *s)
{
    for (unsigned round = 0; s->high - s->low >= MANY && round < ROUNDS; round++)
        if (narrow(s, near_pivot(s)))
            return;
    select_of_few(s);
}

/* Reorders the values so that the range from low to high holds the same values as after sorting, in
 * any order. The neighbors of the quantile are in that range. */
static double quantile_within(double *values, size_t n, double q, size_t low, size_t high)
{
    double at = q * (double)(n - 1);
    size_t k = (size_t)at;
    if (k + 1 >= n)
        k = n - 1;
    struct search search = {values, low, high, k, high};
    select_within(&search);
    if (k + 1 >= n)
        return values[k];
    double next = values[k + 1];
    for (size_t i = k + 2; i <= search.end; i++)
        next = values[i] < next ? values[i] : next;
    return values[k] + (at - (double)k) * (next - values[k]);
}

double od_stats_quantile(double *values, size_t n, double q)
{
    return quantile_within(values, n, q, 0, n - 1);
}

static double *copy_of(const double *values, size_t n)
{
    double *copy = od_mem_alloc(n, sizeof *copy);
    memcpy(copy, values, n * sizeof *copy);
    return copy;
}

double od_stats_median(const double *values, size_t n)
{
    double *copy = copy_of(values, n);
    double median = od_stats_quantile(copy, n, 0.5);
    od_mem_free(copy);
    return median;
}

double od_stats_spread(const double *values, size_t n)
{
    double *copy = copy_of(values, n);
    double median = od_stats_quantile(copy, n, 0.5);
    for (size_t i = 0; i < n; i++)
        copy[i] = fabs(copy[i] - median);
    double spread = normal_mad * od_stats_quantile(copy, n, 0.5);
    od_mem_free(copy);
    return spread;
}

double od_stats_noise(const double *values, size_t n)
{
    if (n < 3)
        return 0;
    double *steps = od_mem_alloc(n - 1, sizeof *steps);
    for (size_t i = 0; i + 1 < n; i++)
        steps[i] = values[i + 1] - values[i];
    double noise = od_stats_spread(steps, n - 1) / sqrt(2.0);
    od_mem_free(steps);
    return noise;
}

void od_stats_smooth(const double *values, size_t n, size_t window, double *out)
{
    double *part = od_mem_alloc(window, sizeof *part);
    for (size_t i = 0; i < n; i++) {
        size_t half = window / 2;
        half = i < half ? i : half;
        half = n - 1 - i < half ? n - 1 - i : half;
        size_t count = 2 * half + 1;
        memcpy(part, values + i - half, count * sizeof *part);
        out[i] = od_stats_quantile(part, count, 0.5);
    }
    od_mem_free(part);
}

/* A simple generator from Numerical Recipes, good enough for sampling pairs. */
static uint32_t next_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

static void shuffle(size_t *items, size_t n, uint64_t *state)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t at = (uint64_t)next_number(state) * (i + 1) >> 31, item = items[at];
        items[at] = items[i];
        items[i] = item;
    }
}

struct points {
    const double *x, *y;
    size_t n;
};

/* Appends the slope of a pair to the m slopes, unless both have the same x. */
static size_t add_pair(const struct points *p, size_t i, size_t j, double *slopes, size_t m)
{
    double dx = p->x[j] - p->x[i];
    if (!(fabs(dx) > 0))
        return m;
    slopes[m] = (p->y[j] - p->y[i]) / dx;
    return m + 1;
}

static bool are_too_many(size_t n)
{
    return n * (n - 1) / 2 > OD_STATS_PAIRS;
}

/* Slopes of all pairs, or of a sample in which each point occurs equally often. */
static size_t take_slopes(const struct points *p, double *slopes)
{
    size_t m = 0, n = p->n;
    if (!are_too_many(n)) {
        for (size_t i = 0; i + 1 < n; i++)
            for (size_t j = i + 1; j < n; j++)
                m = add_pair(p, i, j, slopes, m);
        return m;
    }
    uint64_t state = 1;
    size_t *order = od_mem_alloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t pairs = 0; pairs < OD_STATS_PAIRS; pairs += n) {
        shuffle(order, n, &state);
        for (size_t i = 0; i < n; i++)
            m = add_pair(p, order[i], order[i > 0 ? i - 1 : n - 1], slopes, m);
    }
    od_mem_free(order);
    return m;
}

/* Kendall's variance of S, and the number of pairs of equal values; values are sorted. */
static double variance_of_s(const double *values, size_t n, double *ret_equal)
{
    double all = (double)n * ((double)n - 1) * (2 * (double)n + 5);
    *ret_equal = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && !(values[end] > values[i]))
            end++;
        double t = (double)(end - i);
        all -= t * (t - 1) * (2 * t + 5);
        *ret_equal += t * (t - 1) / 2;
        i = end;
    }
    return all / 18;
}

struct od_slopes {
    const double *x, *y;
    size_t n;
    double *values;
    size_t m;
    double median;
};

struct od_slopes *od_slopes_new(const double *x, const double *y, size_t n)
{
    if (n < 3)
        return NULL;
    size_t room = are_too_many(n) ? OD_STATS_PAIRS + n : n * (n - 1) / 2;
    struct od_slopes *slopes = od_mem_alloc(1, sizeof *slopes);
    *slopes = (struct od_slopes){.x = x, .y = y, .n = n};
    slopes->values = od_mem_resize(NULL, room, sizeof *slopes->values);
    slopes->m = take_slopes(&(struct points){x, y, n}, slopes->values);
    if (slopes->m == 0) {
        od_slopes_free(slopes);
        return NULL;
    }
    slopes->median = od_stats_quantile(slopes->values, slopes->m, 0.5);
    return slopes;
}

void od_slopes_free(struct od_slopes *slopes)
{
    if (slopes)
        od_mem_free(slopes->values);
    od_mem_free(slopes);
}

double od_slopes_median(const struct od_slopes *slopes)
{
    return slopes->median;
}

struct od_slope od_slopes_fit(struct od_slopes *slopes, double inflation)
{
    size_t n = slopes->n, m = slopes->m, middle = (m - 1) / 2;
    double *rest = copy_of(slopes->y, n), equal;
    (void)sort(rest, n);
    double variance = variance_of_s(rest, n, &equal) * inflation;
    double width = z90 * sqrt(variance) / ((double)n * ((double)n - 1));
    if (are_too_many(n)) /* sampling adds an error */
        width = hypot(width, 0.5 * z90 / sqrt((double)m));
    struct od_slope fit = {.slope = slopes->median};
    /* the median is at its sorted position, because only values up to it precede it */
    double lo = fmax(0.5 - width, 0), hi = fmin(0.5 + width, 1);
    bool below = (size_t)(lo * (double)(m - 1)) < middle;
    fit.lo = quantile_within(slopes->values, m, lo, 0, below ? middle : m - 1);
    fit.hi = quantile_within(slopes->values, m, hi, middle, m - 1);
    for (size_t i = 0; i < n; i++)
        rest[i] = slopes->y[i] - fit.slope * slopes->x[i];
    fit.level = od_stats_quantile(rest, n, 0.5);
    od_mem_free(rest);
    return fit;
}

bool od_stats_theil_sen(const double *x, const double *y, size_t n, double inflation,
                        struct od_slope *ret_slope)
{
    struct od_slopes *slopes = od_slopes_new(x, y, n);
    if (slopes)
        *ret_slope = od_slopes_fit(slopes, inflation);
    od_slopes_free(slopes);
    return slopes != NULL;
}

struct ranked {
    double value;
    size_t at;
};

static int by_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Ranks minus their mean; equal values share the middle of their ranks. */
static void center_ranks(const double *values, size_t n, double *ranks)
{
    struct ranked *sorted = od_mem_alloc(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct ranked){values[i], i};
    qsort(sorted, n, sizeof *sorted, by_ranked);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && !(sorted[end].value > sorted[i].value))
            end++;
        for (size_t k = i; k < end; k++)
            ranks[sorted[k].at] = ((double)(i + end) - 1 - ((double)n - 1)) / 2;
        i = end;
    }
    od_mem_free(sorted);
}

static double product_at_lag(const double *values, size_t n, size_t lag)
{
    double sum = 0;
    for (size_t i = 0; i + lag < n; i++)
        sum += values[i] * values[i + lag];
    return sum;
}

double od_stats_inflation(const double *values, size_t n)
{
    if (n < 4)
        return 1;
    double *ranks = od_mem_alloc(n, sizeof *ranks);
    center_ranks(values, n, ranks);
    double all = product_at_lag(ranks, n, 0);
    double significant = z90 / sqrt((double)n);
    double sum = 0, first = 0;
    for (size_t lag = 1; all > 0 && lag < n / 2; lag++) {
        double rho = product_at_lag(ranks, n, lag) / all;
        if (lag == 1)
            first = rho;
        if (rho <= significant)
            break;
        double m = (double)(n - lag);
        sum += m * (m - 1) * (m - 2) * rho;
    }
    od_mem_free(ranks);
    double count = (double)n;
    double inflation = 1 + 2 * sum / (count * (count - 1) * (count - 2));
    if (first > significant) {
        double phi = fmin(first + (1 + 4 * first) / count, 0.999);
        inflation = fmax(inflation, (1 + phi) / (1 - phi));
    }
    return fmin(fmax(inflation, 1), count);
}

double od_stats_mann_kendall(const double *values, size_t n, double inflation)
{
    if (n < 3)
        return 0;
    double *copy = copy_of(values, n), equal;
    double falls = (double)sort(copy, n);
    double variance = variance_of_s(copy, n, &equal) * inflation;
    double s = (double)n * ((double)n - 1) / 2 - equal -
               2 * falls; /* the number of rises minus the number of falls */
    od_mem_free(copy);
    if (!(variance > 0) || fabs(s) < 1)
        return 0;
    return (s > 0 ? s - 1 : s + 1) / sqrt(variance);
}

/* Split of [from, to) with the largest gain; that gain. sums[i] is the sum of the first i
 * values. */
static double best_split(const double *sums, size_t from, size_t to, size_t min_run, size_t *ret_at)
{
    double all = sums[to] - sums[from], best = 0;
    double n = (double)(to - from);
    for (size_t at = from + min_run; at + min_run <= to; at++) {
        double left = (double)(at - from), part = sums[at] - sums[from];
        double gap = part / left - (all - part) / (n - left);
        double gain = gap * gap * left * (n - left) / n;
        if (gain > best) {
            best = gain;
            *ret_at = at;
        }
    }
    return best;
}

static int by_place(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

size_t od_stats_change_points(const double *values, size_t n, const struct od_change_rules *rules,
                              size_t *ret_at)
{
    size_t max = rules->max;
    size_t found = 0, waiting = 0;
    if (n < 2 || max == 0)
        return 0;
    double *sums = od_mem_alloc(n + 1, sizeof *sums);
    size_t(*parts)[2] = od_mem_alloc(2 * max + 1, sizeof *parts);
    double middle = od_stats_median(values, n); /* subtracting the median keeps the sums small */
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sums[i] + (values[i] - middle);
    parts[waiting][0] = 0;
    parts[waiting++][1] = n;
    /* first in, first out: the halves of the series are split before its quarters */
    for (size_t next = 0; next < waiting && found < max; next++) {
        size_t from = parts[next][0], to = parts[next][1], at = 0;
        if (!(best_split(sums, from, to, rules->min_run, &at) > rules->penalty))
            continue;
        ret_at[found++] = at;
        for (size_t side = 0; side < 2; side++) {
            parts[waiting][0] = side == 0 ? from : at;
            parts[waiting++][1] = side == 0 ? at : to;
        }
    }
    od_mem_free(parts);
    od_mem_free(sums);
    qsort(ret_at, found, sizeof *ret_at, by_place);
    return found;
}
