#include "estimate/range.h"

#include <math.h>

struct od_bytes od_bytes_about(double n, double lo, double hi)
{
    static const double most = 0x1p62;
    if (!(n >= 0 && n < most && hi < most))
        return (struct od_bytes){0};
    return (struct od_bytes){.n = (uint64_t)n,
                             .lo = lo > 0 ? (uint64_t)lo : 0,
                             .hi = (uint64_t)ceil(hi > n ? hi : n),
                             .known = true};
}
