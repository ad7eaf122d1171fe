/*
 * Dumps made by hand for the tests: a tiling is written down (or drawn by chance) and everything
 * an allocator would print of it is computed here, by other means than in src/case.
 */
#ifndef OD_TESTS_UNIT_CASE_MAKE_H
#define OD_TESTS_UNIT_CASE_MAKE_H

#include "facts/dump.h"

#include <stdint.h>

/* One region: sizes of its chunks, negative when free, 0 at the end. */
enum { MAKE_CHUNKS = 48, MAKE_REGIONS = 4 };

struct make_region {
    uint64_t address;
    int64_t chunks[MAKE_CHUNKS + 1];
};

struct make_tiling {
    size_t nregions;
    struct make_region regions[MAKE_REGIONS];
};

/* A whole dump of that tiling, of allocator GPU_0_bfc, starting at line 100; the limit is the pool.
 * texts live in arena. The caller owns the dump until a case takes it. */
struct od_dump make_dump(struct od_arena *arena, const struct make_tiling *tiling);

/* The tiling of that number: always the same for the same number. */
struct make_tiling make_random_tiling(uint64_t seed);

/* One step of a small generator of numbers. */
uint64_t make_random(uint64_t *state);

/* A size as TensorFlow prints it (numbers.cc, HumanReadableNumBytes), read back. */
struct od_bytes make_printed(uint64_t bytes);

#endif
