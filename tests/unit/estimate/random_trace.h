/* Requests and releases drawn by chance, as allocators see them: a few sizes that repeat, many
 * small ones, now and then a large one. The same seed gives the same trace. */
#ifndef OD_TESTS_UNIT_ESTIMATE_RANDOM_TRACE_H
#define OD_TESTS_UNIT_ESTIMATE_RANDOM_TRACE_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Of a request against an allocator of `limit` bytes. */
static inline uint64_t random_size(uint64_t *state, uint64_t limit)
{
    uint64_t kind = random_next(state) % 8, r = random_next(state);
    if (kind < 3)
        return r % 5000;
    if (kind < 5)
        return (1 + r % 6) * (limit / 64);
    if (kind == 5)
        return r % (limit / 4);
    return r % (limit / 200 + 1);
}

#endif
