#include "plan/answer_fit.h"

#include <math.h>

static const double z95 = 1.6448536269514722;
static const double least_sigma = 0.004; /* nothing here is surer than half a percent */
static const double most = 16777216.0;
static const double surest = 0.99; /* of what no log proves */

struct od_fit od_fit_of(double median, double lo, double hi)
{
    struct od_fit fit = {.median = median > 1e-9 ? median : 1e-9};
    double low = lo > 1e-9 && lo < fit.median ? lo : fit.median;
    double high = hi > fit.median ? hi : fit.median;
    fit.lower = fmax((log(fit.median) - log(low)) / z95, least_sigma);
    fit.upper = fmax((log(high) - log(fit.median)) / z95, least_sigma);
    return fit;
}

/* That the largest batch is n or more, before the cut. */
static double tail(const struct od_fit *fit, double n)
{
    if (n <= 0)
        return 1.0;
    double off = log(n) - log(fit->median);
    return 0.5 * erfc(off / (off < 0 ? fit->lower : fit->upper) / sqrt(2.0));
}

double od_fit_probability(const struct od_fit *fit, double batch)
{
    double top = fit->below > 0 ? (double)fit->below : most * 2;
    double bottom = (double)fit->worked;
    if (batch <= bottom)
        return 1.0;
    if (batch >= top)
        return 0.0;
    double above = tail(fit, top), all = tail(fit, bottom) - above;
    if (all < 1e-6) /* the belief lies outside of what is proven: only the bounds are left */
        return (log(top) - log(batch)) / (log(top) - log(bottom > 0 ? bottom : 1.0));
    double p = (tail(fit, batch) - above) / all;
    return p < 0 ? 0.0 : p > surest ? surest : p;
}

uint64_t od_fit_batch(const struct od_fit *fit, double probability)
{
    double lo = 0, hi = most;
    for (int i = 0; i < 64; i++) {
        double middle = lo + (hi - lo) / 2;
        if (od_fit_probability(fit, middle) >= probability)
            lo = middle;
        else
            hi = middle;
    }
    /* A batch is whole; what is within a millionth of it is it. */
    return (uint64_t)floor(lo * (1 + 1e-9) + 1e-9);
}
