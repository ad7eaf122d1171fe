#include "answer/pricing.h"

#include <math.h>

struct od_bytes od_pricing_bytes(double n)
{
    return n >= 0 && n < 9e18 ? od_bytes_exact((uint64_t)n) : (struct od_bytes){0};
}

const char *od_pricing_chance(const struct od_pricing *p, double fits)
{
    double percent = floor(fits * 100 + 0.5);
    if (percent < 1)
        return "<1 %";
    return fits > 0.99 ? ">99 %" : od_arena_printf(p->facts->arena, "%.0f %%", percent);
}

double od_pricing_peak(const struct od_pricing *p, double batch)
{
    return p->line->fixed + batch * p->line->sample;
}
