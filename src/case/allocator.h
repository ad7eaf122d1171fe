/*
 * One allocator dump, verified: its chunk, bin and region tables, what follows from them, and the
 * checks of the dump's own arithmetic. Totals of a dump that was cut are not invented.
 *
 * Rules of the allocator (TSL bfc_allocator.cc): requests are rounded up to 256 B; 21 bins, bin b
 * starts at 256 << b, the last is open-ended; chunks tile their region exactly; the sum of chunks
 * in use is Stats.InUse; the sum of regions is the pool. Other allocators (facts/dump.h, enum
 * od_family) have neither bins nor that unit.
 */
#pragma once

#include "facts/dump.h"

enum { OD_BINS = 21 };

enum od_verdict {
    OD_VERDICT_UNKNOWN,
    OD_VERDICT_EXHAUSTED,
    OD_VERDICT_FRAGMENTED,
    OD_VERDICT_DEVICE_REFUSED,
    OD_VERDICT_FITS
};

/* The contract's word; NULL for OD_VERDICT_UNKNOWN. */
const char *od_verdict_name(enum od_verdict verdict);

enum od_check_id {
    OD_CHECK_CHUNKS_SUM_TO_IN_USE,
    OD_CHECK_SUMMARY_SUMS_TO_IN_USE,
    OD_CHECK_CHUNKS_TILE_REGIONS,
    OD_CHECK_REGIONS_SUM_TO_POOL,
    OD_CHECK_BINS_MATCH,
    OD_CHECK_OCCUPANCY_MATCHES,
    OD_CHECK_SIZES_MULTIPLY,
    OD_CHECKS
};

enum od_check_result { OD_CHECK_SKIP, OD_CHECK_PASS, OD_CHECK_FAIL };

struct od_check {
    enum od_check_result result;
    uint64_t line;         /* the line it fails at, or that it rests on; 0 = none */
    struct od_view detail; /* the numbers in words */
};

const char *od_check_id_name(enum od_check_id id);
const char *od_check_result_name(enum od_check_result result);

struct od_bin {
    uint64_t min_bytes;
    uint64_t chunks, chunks_in_use;
    uint64_t bytes, bytes_in_use;
};

/* In-use chunks of one size, largest total first. */
struct od_size {
    uint64_t bytes;
    uint64_t count;
    uint64_t total;
};

/* Free chunks that the request could be served from. */
struct od_holes {
    uint64_t count, bytes, largest;
};

/* Chunks in use that one operation or place of the program holds. */
struct od_holder {
    struct od_view op;
    uint64_t count, bytes;
};

/* The summary row whose count and total contradict each other, where one of the two is proved: what
 * is in use has room for so many such chunks beside the other rows, and for no more. */
struct od_settled {
    bool known;
    size_t row;
    uint64_t count;
    uint64_t rest; /* bytes in use that the rows do not make, then */
};

struct od_allocator {
    struct od_dump dump;   /* as printed; owned */
    struct od_view name;   /* empty = not said and not to be told */
    struct od_view device; /* "GPU:0" when the name tells */
    bool has_chunks;       /* there is a chunk list (maybe cut) */
    bool chunks_complete;  /* it is whole: tiles its regions, and sums to what is printed */
    bool complete;         /* the whole dump is there, from its first to its last line */

    struct od_bytes requested; /* as printed by the header; */
    struct od_bytes need;      /* the rounded request: printed, else computed from the request of
                                  the dump, or of the failure it belongs to */
    struct od_count limit, in_use, pool;

    /* from the chunk list; meaningless when !has_chunks */
    uint64_t in_use_count, free_count;
    uint64_t in_use_bytes, free_bytes;
    uint64_t largest_free_bytes;
    struct od_bin bins[OD_BINS];
    struct od_size *sizes; /* in arena; of the printed summary when !has_chunks */
    size_t nsizes;
    struct od_settled settled;
    struct od_holes usable;    /* of free_bytes: all of it in a BFC allocator */
    struct od_holder *holders; /* in arena, largest first; empty where no chunk names its own */
    size_t nholders;

    enum od_verdict verdict;
    struct od_check checks[OD_CHECKS];

    struct od_arena *arena; /* its own; it lives there itself */
};

/* Verifies a dump, which is moved from (its arrays are taken; the printed summary is not kept where
 * the chunks tell more). Free it with od_allocator_free. */
struct od_allocator *od_allocator_new(struct od_dump *dump);
void od_allocator_free(struct od_allocator *allocator);

/* How many chunks in use have that size; 0 = none. */
uint64_t od_allocator_count_of(const struct od_allocator *allocator, uint64_t bytes);

/* Lets go of its chunk list; all that was computed of it stays. */
void od_allocator_forget_chunks(struct od_allocator *allocator);

/* The bin of a size: min(20, floor(log2(max(bytes, 256) / 256))). */
unsigned od_bin_of(uint64_t bytes);

/* bytes rounded up to 256, or as the allocators of that family do; unknown on overflow. */
struct od_bytes od_bfc_round(struct od_bytes bytes);
struct od_bytes od_family_round(enum od_family family, struct od_bytes bytes);
