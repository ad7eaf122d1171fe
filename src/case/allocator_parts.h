/*
 * What the files of case/allocator_*.c share while one dump is verified: the dump's own arithmetic,
 * computed once. Internal to the room; everything lives as long as od_allocator_new runs.
 */
#pragma once

#include "case/allocator.h"

enum od_tiling_fault {
    OD_TILING_OK,
    OD_TILING_GAP,     /* bytes between two chunks of a region belong to no chunk */
    OD_TILING_OVERLAP, /* a chunk starts before its predecessor ends */
    OD_TILING_SHORT,   /* the chunks of a region make less than was announced */
    OD_TILING_LONG,    /* ... or more */
    OD_TILING_REGIONS, /* two regions share addresses */
    OD_TILING_STRAY    /* chunks belong to no region */
};

struct od_tiling {
    enum od_tiling_fault fault; /* the first one */
    bool at_end;                /* it is in the last region listed */
    uint64_t line;              /* where it is seen */
    uint64_t expected, found;   /* addresses; byte counts for SHORT and LONG */
    size_t unsized;             /* regions whose size was not announced */
    uint64_t total;             /* bytes of all regions: announced, else listed */
};

struct od_parts {
    struct od_allocator *a;
    struct od_arena *arena;
    struct od_tiling tiling;
    uint64_t summary_sum; /* count * size over the summary rows */
    uint64_t shown_bins;  /* chunks that the bin rows tally: all of them, or the free ones */
    bool free_bins;       /* they tally free chunks only */
    const char *missing;  /* why chunks may be missing from the list; NULL = nothing says so */
};

/* sum += n, stopping at the largest number. */
void od_sum_add(uint64_t *sum, uint64_t n);

/* The sum of a region's chunks; and its size: announced, else that sum. */
uint64_t od_region_listed(const struct od_dump *dump, const struct od_region *region);
uint64_t od_region_bytes(const struct od_dump *dump, const struct od_region *region);

/* Fills parts->tiling from the chunk list. */
void od_tiling_measure(struct od_parts *parts);

/* Why the chunk list may lack chunks; needs everything else of parts. */
const char *od_parts_missing(const struct od_parts *parts);

/* Do the row's count and its total contradict each other? */
bool od_row_contradicts(const struct od_summary_row *row);

/* The counts that make the row's printed total; false when no whole number of chunks does. */
bool od_row_counts(const struct od_summary_row *row, uint64_t *ret_least, uint64_t *ret_most);

/* Fills a->settled; needs in_use and has_chunks. */
void od_counts_settle(struct od_allocator *a);

/* The count of a summary row: as printed, or as what is in use settles it. */
uint64_t od_row_count(const struct od_allocator *a, size_t row);

/* Fills the allocator's checks, chunks_complete and verdict. */
void od_checks_run(struct od_parts *parts);
enum od_verdict od_verdict_of(const struct od_allocator *a);

enum { OD_OCCUPANCY_CELLS = 100 };

/* The star line of the chunk list, 'x' as '*': TensorFlow's BFCAllocator::RenderOccupancy. False
 * when there are no bytes to draw or they are too many to compute with. */
bool od_occupancy_render(const struct od_dump *dump, uint64_t total,
                         char cells[static OD_OCCUPANCY_CELLS]);
