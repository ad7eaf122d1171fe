/*
 * Shared by the files case/allocator_*.c while they check one dump: the dump's arithmetic, computed
 * once. Internal to this folder. Valid until od_allocator_new returns.
 */
#pragma once

#include "case/allocator.h"

enum od_tiling_fault {
    OD_TILING_OK,
    /* bytes that belong to no chunk, between two chunks or at the end of a region */
    OD_TILING_GAP,
    OD_TILING_OVERLAP, /* a chunk starts before the previous one ends, or ends after its region */
    OD_TILING_STRAY    /* chunks outside of all regions */
};

struct od_tiling {
    enum od_tiling_fault fault; /* the first fault found */
    bool at_end;                /* no fault before the end of the last region listed */
    uint64_t line;              /* line of the fault */
    uint64_t end, next;         /* end of the chunk, and where the next one should start */
    size_t unsized;             /* regions without a printed size */
    uint64_t total;             /* sum of the regions' sizes: as printed, otherwise as listed */
};

struct od_parts {
    struct od_allocator *a;
    struct od_arena *arena;
    struct od_tiling tiling;
    uint64_t summary_sum; /* sum of count * size over the summary rows */
    uint64_t shown_bins;  /* number of chunks that the bin rows count: all, or free ones only */
    bool free_bins;       /* the bin rows count free chunks only */
    const char *missing;  /* the reason why the list may lack chunks; NULL = no sign of it */
};

/* *sum += n, saturating. */
void od_sum_add(uint64_t *sum, uint64_t n);

/* od_region_listed: sum of the region's chunks. od_region_bytes: its printed size, otherwise that
 * sum. */
uint64_t od_region_listed(const struct od_dump *dump, const struct od_region *region);
uint64_t od_region_bytes(const struct od_dump *dump, const struct od_region *region);

/* Fills parts->tiling from the chunk list. */
void od_tiling_measure(struct od_parts *parts);

/* The reason why the list may lack chunks. All other members of parts must be set. */
const char *od_parts_missing(const struct od_parts *parts);

/* Do the row's count and its total contradict each other? */
bool od_row_contradicts(const struct od_summary_row *row);

/* The range of counts that fit the row's printed total. False if no whole number of chunks does. */
bool od_row_counts(const struct od_summary_row *row, uint64_t *ret_least, uint64_t *ret_most);

/* Sets a->settled; in_use and has_chunks must be set. */
void od_counts_settle(struct od_allocator *a);

/* The count of a summary row: as printed, or corrected by a->settled. */
uint64_t od_row_count(const struct od_allocator *a, size_t row);

/* Sets the allocator's checks, chunks_complete and verdict. */
void od_checks_run(struct od_parts *parts);
enum od_verdict od_verdict_of(const struct od_allocator *a);

enum { OD_OCCUPANCY_CELLS = 100 };

/* Draws the line of stars for the chunk list, with 'x' for '*', as TensorFlow's
 * BFCAllocator::RenderOccupancy does. False if there are no bytes, or too many to compute with. */
bool od_occupancy_render(const struct od_dump *dump, uint64_t total,
                         char cells[static OD_OCCUPANCY_CELLS]);
