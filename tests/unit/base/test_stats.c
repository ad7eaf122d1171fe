/* Statistics against values worked out by hand or published. */
#include "base/num.h"
#include "base/stats.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR(value, want) \
    ck_assert_double_eq_tol((value), (double)(want), 1e-9 * (1 + fabs((double)(want))))

START_TEST(quantiles_lie_between_values)
{
    double values[] = {9, 1, 4, 7, 2};
    NEAR(od_stats_median(values, 5), 4);
    NEAR(values[0], 9); /* as it was */
    NEAR(od_stats_quantile(values, 5, 0.25), 2);
    NEAR(od_stats_quantile(values, 5, 0.375), 3);
    NEAR(od_stats_quantile(values, 5, 1), 9);
    double spread[] = {1, 1, 2, 2, 4, 6, 9}; /* deviations from 2: 1 1 0 0 2 4 7; their median 1 */
    NEAR(od_stats_spread(spread, 7), 1.482602218505602);
}
END_TEST

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Values of a kind: by chance, few different ones, rising, falling, equal, a hill. */
static double value_of(int kind, size_t i, size_t n, uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double chance = (double)(*state >> 40);
    const double values[] = {
        chance, fmod(chance, 3), (double)i, -(double)i, 7, (double)(i < n / 2 ? i : n - i)};
    return values[kind];
}

/* Of few values and of so many that pivots are estimated: as if they were sorted. */
START_TEST(quantiles_and_pairs_are_those_of_all_values)
{
    enum { MOST = 5000 };
    static double values[MOST], turned[MOST], sorted[MOST];
    size_t n = _i % 2 ? MOST : 301;
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++)
        sorted[i] = values[i] = value_of(_i / 2, i, n, &state);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (unsigned part = 0; part <= 40; part++) {
        double at = part / 40.0 * (double)(n - 1), share = at - floor(at);
        size_t k = (size_t)at, next = k + 1 < n ? k + 1 : k;
        memcpy(turned, values, n * sizeof *values);
        NEAR(od_stats_quantile(turned, n, part / 40.0),
             sorted[k] + share * (sorted[next] - sorted[k]));
        qsort(turned, n, sizeof *turned, by_value);
        ck_assert_mem_eq(turned, sorted, n * sizeof *sorted);
    }
    double rise = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            rise += (values[j] > values[i]) - (values[j] < values[i]);
    double score = od_stats_mann_kendall(values, n, 1);
    ck_assert(_i / 2 == 4 ? !(fabs(score) > 0) : (score > 0) == (rise > 1));
    /* What is divided by is the same for the values turned round. */
    for (size_t i = 0; i < n; i++)
        turned[i] = values[n - 1 - i];
    NEAR(od_stats_mann_kendall(turned, n, 1), -score);
}
END_TEST

/* Every other difference is +3 or -1: the median is 1, all deviations are 2. */
START_TEST(noise_is_told_from_a_line)
{
    double saw[] = {0, 3, 2, 5, 4, 7, 6, 9, 8};
    NEAR(od_stats_noise(saw, 9), 1.482602218505602 * 2 / sqrt(2.0));
    double line[] = {0, 5, 10, 15, 20};
    NEAR(od_stats_noise(line, 5), 0);
    NEAR(od_stats_noise(line, 2), 0);
}
END_TEST

START_TEST(smoothing_removes_a_spike_and_keeps_a_step)
{
    double values[] = {1, 1, 50, 1, 1, 8, 8, 8}, out[8];
    static const double want[] = {1, 1, 1, 1, 1, 8, 8, 8};
    od_stats_smooth(values, 8, 3, out);
    for (size_t i = 0; i < 8; i++)
        NEAR(out[i], want[i]);
}
END_TEST

/* Hollander and Wolfe, Nonparametric Statistical Methods, the layout of their example 9.1: slopes
 * of all pairs by hand: 10 of them, the middle two 2 and 2.5. */
START_TEST(theil_sen_takes_the_median_slope)
{
    static const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 3, 6, 8, 30};
    struct od_slope fit;
    ck_assert(od_stats_theil_sen(x, y, 5, 1, &fit));
    /* 2, 2.5, 7/3, 29/4, 3, 2.5, 9, 2, 12, 22 -> sorted: 2 2 7/3 2.5 2.5 3 7.25 9 12 22 */
    NEAR(fit.slope, 2.75);
    NEAR(fit.level, 1 + 0.0 - 0.5 + 0.0 - 0.25 + 0.25); /* of 1 .25 .5 -.25 19 */
    ck_assert(fit.lo <= 2.5 && fit.hi >= 3);
    ck_assert(!od_stats_theil_sen(x, y, 2, 1, &fit));
    static const double same[] = {7, 7, 7};
    ck_assert(!od_stats_theil_sen(same, y, 3, 1, &fit));
}
END_TEST

START_TEST(many_points_are_sampled_by_pairs)
{
    enum { N = 2000 };
    double x[N], y[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)i;
        y[i] = 3 * (double)i + (double)(i * 7919 % 101) - 50;
    }
    struct od_slope fit, again;
    ck_assert(od_stats_theil_sen(x, y, N, 1, &fit));
    ck_assert_double_eq_tol(fit.slope, 3, 0.01);
    ck_assert(fit.lo < 3 && fit.hi > 3 && fit.hi - fit.lo < 0.02);
    ck_assert(od_stats_theil_sen(x, y, N, 1, &again));
    ck_assert(!(fit.slope < again.slope) && !(fit.slope > again.slope));
}
END_TEST

/* S of 1 2 3 4 5 is 10, its variance 5 * 4 * 15 / 18. With a tie of two: less 2 * 1 * 9 / 18. */
START_TEST(mann_kendall_scores_a_trend)
{
    static const double up[] = {1, 2, 3, 4, 5}, tied[] = {1, 2, 2, 3, 4};
    static const double down[] = {5, 4, 3, 2, 1}, level[] = {2, 2, 2, 2};
    double variance = 5.0 * 4 * 15 / 18;
    NEAR(od_stats_mann_kendall(up, 5, 1), 9 / sqrt(variance));
    NEAR(od_stats_mann_kendall(up, 5, 4), 9 / sqrt(4 * variance));
    NEAR(od_stats_mann_kendall(down, 5, 1), -9 / sqrt(variance));
    NEAR(od_stats_mann_kendall(tied, 5, 1), 8 / sqrt(variance - 1));
    NEAR(od_stats_mann_kendall(level, 4, 1), 0);
    NEAR(od_stats_mann_kendall(up, 2, 1), 0);
}
END_TEST

START_TEST(neighbours_alike_inflate_the_variance)
{
    enum { N = 400 };
    double blocks[N], mixed[N];
    for (size_t i = 0; i < N; i++) {
        blocks[i] = (double)(i / 20 * 7919 % 97);
        mixed[i] = (double)(i * 7919 % 401);
    }
    ck_assert(od_stats_inflation(blocks, N) > 8);
    ck_assert(od_stats_inflation(mixed, N) < 2);
    ck_assert(od_stats_inflation(mixed, N) >= 1);
    NEAR(od_stats_inflation(mixed, 3), 1);
}
END_TEST

START_TEST(change_points_are_where_levels_change)
{
    double values[60];
    size_t at[8];
    for (size_t i = 0; i < 60; i++)
        values[i] = (i < 17 ? 1 : i < 40 ? 9 : 4) + 0.1 * (double)(i % 3);
    ck_assert_uint_eq(od_stats_change_points(values, 60, &(struct od_change_rules){5, 3, 8}, at),
                      2);
    ck_assert_uint_eq(at[0], 17);
    ck_assert_uint_eq(at[1], 40);
    ck_assert_uint_eq(od_stats_change_points(values, 60, &(struct od_change_rules){5, 3, 1}, at),
                      1);
    ck_assert_uint_eq(od_stats_change_points(values, 60, &(struct od_change_rules){1e9, 3, 8}, at),
                      0);
    ck_assert_uint_eq(od_stats_change_points(values, 1, &(struct od_change_rules){0, 1, 8}, at), 0);
}
END_TEST

Suite *od_stats_suite(void)
{
    Suite *suite = suite_create("stats");
    TCase *tcase = tcase_create("stats");
    tcase_add_test(tcase, quantiles_lie_between_values);
    tcase_add_loop_test(tcase, quantiles_and_pairs_are_those_of_all_values, 0, 12);
    tcase_add_test(tcase, noise_is_told_from_a_line);
    tcase_add_test(tcase, smoothing_removes_a_spike_and_keeps_a_step);
    tcase_add_test(tcase, theil_sen_takes_the_median_slope);
    tcase_add_test(tcase, many_points_are_sampled_by_pairs);
    tcase_add_test(tcase, mann_kendall_scores_a_trend);
    tcase_add_test(tcase, neighbours_alike_inflate_the_variance);
    tcase_add_test(tcase, change_points_are_where_levels_change);
    suite_add_tcase(suite, tcase);
    return suite;
}
