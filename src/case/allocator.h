/*
 * One allocator dump with checks: its tables of chunks, bins and regions, the totals computed from
 * them, and the checks of its own arithmetic. A truncated dump gets no invented totals. Rules of
 * the allocator (TSL bfc_allocator.cc): requests are rounded up to 256 B; of 21 bins, bin b starts
 * at 256 << b and the last has no end; chunks cover their region exactly; the chunks in use sum to
 * Stats.InUse; the regions sum to the pool. Other allocators (facts/dump.h, enum od_family) have
 * neither bins nor this unit.
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

/* Name of the verdict in the JSON contract; NULL for OD_VERDICT_UNKNOWN. */
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
    uint64_t line;         /* line where the check fails, or that it uses; 0 = none */
    struct od_view detail; /* the compared numbers as text */
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

/* Free chunks that could serve the request. */
struct od_holes {
    uint64_t count, bytes, largest;
};

/* Chunks in use of one operation or one place in the program. */
struct od_holder {
    struct od_view op;
    uint64_t count, bytes;
};

/* The summary row whose count and total contradict each other, if the bytes in use prove which is
 * right: exactly this many chunks fit in addition to the other rows. */
struct od_settled {
    bool known;
    size_t row;
    uint64_t count;
    uint64_t rest; /* bytes in use that the rows do not account for */
};

struct od_allocator {
    struct od_dump dump;   /* as printed; owned */
    struct od_view name;   /* empty = neither printed nor derived from other texts */
    struct od_view device; /* "GPU:0" if the name shows it */
    bool has_chunks;       /* the dump has a chunk list, possibly truncated */
    /* the list is complete: chunks cover their regions and sum to a printed number */
    bool chunks_complete;
    bool complete; /* the dump is complete from its first to its last line */

    struct od_bytes requested; /* as printed in the header */
    /* the rounded request: as printed, or computed from the request of the dump or of its
     * failure */
    struct od_bytes need;
    struct od_count limit, in_use, pool;

    /* computed from the chunk list; not set if !has_chunks */
    uint64_t in_use_count, free_count;
    uint64_t in_use_bytes, free_bytes;
    uint64_t largest_free_bytes;
    struct od_bin bins[OD_BINS];
    struct od_size *sizes; /* allocated in arena; from the printed summary if !has_chunks */
    size_t nsizes;
    struct od_settled settled;
    struct od_holes usable;    /* the usable part of free_bytes: all of it in a BFC allocator */
    struct od_holder *holders; /* allocated in arena, largest first; empty if no chunk names its
                                  operation */
    size_t nholders;

    enum od_verdict verdict;
    struct od_check checks[OD_CHECKS];

    struct od_arena *arena; /* owned; the allocator itself is allocated in it */
};

/* Checks a dump and takes its arrays. Drops the printed summary if the chunks show more. Free with
 * od_allocator_free. */
struct od_allocator *od_allocator_new(struct od_dump *dump);
void od_allocator_free(struct od_allocator *allocator);

/* Number of chunks in use of that size. */
uint64_t od_allocator_count_of(const struct od_allocator *allocator, uint64_t bytes);

/* Frees the chunk list; all computed values remain. */
void od_allocator_forget_chunks(struct od_allocator *allocator);

/* The bin of a size: min(20, floor(log2(max(bytes, 256) / 256))). */
unsigned od_bin_of(uint64_t bytes);

/* bytes rounded up to 256 (od_bfc_round) or by the rule of the family; unknown on overflow. */
struct od_bytes od_bfc_round(struct od_bytes bytes);
struct od_bytes od_family_round(enum od_family family, struct od_bytes bytes);
