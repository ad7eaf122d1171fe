#include "fit/belief.h"

#include <math.h>

static const double z95 = 1.6448536269514722;
/* no estimate of this folder is better than half a percent */
static const double least_sigma = 0.004;
static const double most = 16777216.0;
static const double surest = 0.99; /* highest probability without proof by the log */

struct od_belief od_belief_of(double median, double lo, double hi)
{
    struct od_belief_part part = {.median = median > 1e-9 ? median : 1e-9, .weight = 1};
    double low = lo > 1e-9 && lo < part.median ? lo : part.median;
    double high = hi > part.median ? hi : part.median;
    part.lower = fmax((log(part.median) - log(low)) / z95, least_sigma);
    part.upper = fmax((log(high) - log(part.median)) / z95, least_sigma);
    return (struct od_belief){.parts = {part}, .n = 1};
}

void od_belief_mix(struct od_belief *belief, const struct od_belief *part, double weight)
{
    if (belief->n == OD_BELIEF_PARTS || part->n == 0)
        return;
    belief->parts[belief->n] = part->parts[0];
    belief->parts[belief->n++].weight = weight;
}

struct od_belief od_belief_scaled(const struct od_belief *belief, double times, double sigma)
{
    struct od_belief scaled = *belief;
    scaled.worked = scaled.below = 0;
    for (size_t i = 0; i < scaled.n; i++) {
        scaled.parts[i].median *= times;
        scaled.parts[i].lower = hypot(scaled.parts[i].lower, sigma);
        scaled.parts[i].upper = hypot(scaled.parts[i].upper, sigma);
    }
    return scaled;
}

/* Unnormalized probability that the largest batch is n or more, ignoring the known bounds. */
static double tail(const struct od_belief *belief, double n)
{
    double p = 0, sum = 0;
    for (size_t i = 0; i < belief->n && n > 0; i++) {
        const struct od_belief_part *part = &belief->parts[i];
        double off = log(n) - log(part->median);
        p += part->weight * 0.5 * erfc(off / (off < 0 ? part->lower : part->upper) / sqrt(2.0));
        sum += part->weight;
    }
    return sum > 0 ? p / sum : 1.0;
}

double od_belief_probability(const struct od_belief *belief, double batch)
{
    double top = belief->below > 0 ? (double)belief->below : most * 2;
    double bottom = (double)belief->worked;
    if (batch <= bottom)
        return 1.0;
    if (batch >= top)
        return 0.0;
    double above = tail(belief, top), all = tail(belief, bottom) - above;
    if (all < 1e-6) /* the belief contradicts the known bounds, so only the bounds count */
        return (log(top) - log(batch)) / (log(top) - log(bottom > 0 ? bottom : 1.0));
    double p = (tail(belief, batch) - above) / all;
    return p < 0 ? 0.0 : p > surest ? surest : p;
}

uint64_t od_belief_batch(const struct od_belief *belief, double probability)
{
    double lo = 0, hi = most;
    for (int i = 0; i < 64; i++) {
        double middle = lo + (hi - lo) / 2;
        if (od_belief_probability(belief, middle) >= probability)
            lo = middle;
        else
            hi = middle;
    }
    /* rounds fractional batches down; the bisection may end slightly below a whole number */
    return (uint64_t)floor(lo * (1 + 1e-9) + 1e-9);
}
