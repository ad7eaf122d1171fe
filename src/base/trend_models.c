#include "base/trend_models.h"

#include "base/stats.h"

#include <math.h>

/* The series is reduced to this many medians, which limits outliers and autocorrelation. */
enum { STRETCHES = 32, TERMS = 4 };

/* share of the series after which a plateau would not be recognized */
static const double latest_end = 0.85;
/* log-likelihood that a knot must add, because many possible knots are tried */
static const double knot_price = 3;

struct medians {
    double x[STRETCHES], v[STRETCHES]; /* x scaled to 0..1 */
    size_t n;
    double least; /* sum of squares due to rounding alone */
};

static void take_medians(const struct od_trend_models_input *in, struct medians *m)
{
    double begin = in->x[0], length = in->x[in->n - 1] - begin, level = 0;
    m->n = in->n < STRETCHES ? in->n : STRETCHES;
    for (size_t i = 0; i < m->n; i++) {
        size_t from = in->n * i / m->n, to = in->n * (i + 1) / m->n;
        double middle = 0;
        for (size_t j = from; j < to; j++)
            middle += in->x[j] / (double)(to - from);
        m->x[i] = (middle - begin) / length;
        m->v[i] = od_stats_median(in->v + from, to - from);
        level = fmax(level, fabs(m->v[i]));
    }
    double rounding = fmax(in->grain * in->grain / 12, 1e-18 * level * level);
    m->least = rounding * (double)m->n;
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void subtract(double *from, const double *what, double times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        from[i] -= times * what[i];
}

/* Residual sum of squares of v after a least squares fit of the terms. Makes the terms orthogonal
 * (Gram-Schmidt). */
static double squares_left(const struct medians *m, double terms[][STRETCHES], size_t nterms)
{
    double rest[STRETCHES];
    memcpy(rest, m->v, sizeof rest);
    for (size_t a = 0; a < nterms; a++) {
        double before = product(terms[a], terms[a], m->n);
        for (size_t b = 0; b < a; b++) {
            double norm = product(terms[b], terms[b], m->n);
            if (norm > 0)
                subtract(terms[a], terms[b], product(terms[a], terms[b], m->n) / norm, m->n);
        }
        double norm = product(terms[a], terms[a], m->n);
        if (norm > 1e-9 * before)
            subtract(rest, terms[a], product(rest, terms[a], m->n) / norm, m->n);
        else
            memset(terms[a], 0, sizeof terms[a]); /* the term is a combination of earlier ones */
    }
    return product(rest, rest, m->n) + m->least;
}

/* The nonlinear term of a model. Each model also has a constant and possibly a linear term. */
enum shape { LOGARITHM, EXPONENTIAL, RAMP, STEP };

static double at(enum shape shape, double x, double scale)
{
    return shape == LOGARITHM     ? log1p(x / scale)
           : shape == EXPONENTIAL ? exp(-x / scale)
           : shape == RAMP        ? fmax(scale - x, 0)
                                  : x < scale;
}

struct term {
    enum shape shape;
    double scale;
};

/* Residual sum of squares after a fit of a constant, these terms and possibly a line. */
static double left_by(const struct medians *m, const struct term *of, size_t nof, bool line)
{
    double terms[TERMS][STRETCHES];
    for (size_t i = 0; i < m->n; i++) {
        terms[0][i] = 1;
        terms[nof + line][i] = m->x[i];
        for (size_t j = 0; j < nof; j++)
            terms[1 + j][i] = at(of[j].shape, m->x[i], of[j].scale);
    }
    return squares_left(m, terms, 1 + nof + line);
}

/* The smallest residual sum of squares over all knots between from and to. */
static double least_of_knots(const struct medians *m, double from, double to, bool line)
{
    double least = (double)INFINITY, n = (double)m->n;
    for (size_t i = (size_t)(from * n) + 1; (double)i <= to * n; i++) {
        least = fmin(least, left_by(m, &(struct term){STEP, m->x[i]}, 1, line));
        least = fmin(least, left_by(m, &(struct term){RAMP, m->x[i]}, 1, line));
    }
    return least;
}

static double least_of_two_steps(const struct medians *m, double to, bool line)
{
    double least = (double)INFINITY;
    for (size_t i = 1; i < m->n; i++) {
        for (size_t j = i + 1; (double)j <= to * (double)m->n; j++) {
            struct term steps[] = {{STEP, m->x[i]}, {STEP, m->x[j]}};
            least = fmin(least, left_by(m, steps, 2, line));
        }
    }
    return least;
}

static double least_of_scales(const struct medians *m, enum shape shape, double from, double to)
{
    double least = (double)INFINITY;
    for (double scale = from; scale < to; scale *= 1.6)
        least = fmin(least, left_by(m, &(struct term){shape, scale}, 1, false));
    return least;
}

struct od_trend_models od_trend_models_compare(const struct od_trend_models_input *input)
{
    struct medians m;
    take_medians(input, &m);
    double half = 0.5 * (double)m.n;
    double price = exp(knot_price / half);
    double on = fmin(least_of_knots(&m, 0, 0.25, true), least_of_two_steps(&m, 0.25, true) * price);
    double ends =
        fmin(least_of_knots(&m, 0, 0.5, false), least_of_scales(&m, EXPONENTIAL, 0.02, 0.3));
    ends = fmin(ends, least_of_knots(&m, 0.5, latest_end, false) * price);
    ends = fmin(ends, least_of_two_steps(&m, latest_end, false) * price * price);
    double slows = least_of_scales(&m, LOGARITHM, 1e-4, 0.4);
    return (struct od_trend_models){.best = ends < slows ? OD_TREND_ENDS : OD_TREND_SLOWS,
                                    .gain = half * log(on / fmin(ends, slows))};
}
