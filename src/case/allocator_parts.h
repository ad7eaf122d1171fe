/*
 * Shared by the files case/allocator_*.c while one dump is verified: the dump's own arithmetic,
 * computed once. Internal to this folder; valid while od_allocator_new runs.
 */
#pragma once

#include "case/allocator.h"

enum od_tiling_fault {
    OD_TILING_OK,
    OD_TILING_GAP,     /* bytes between two chunks, or at the end of a region, of no chunk */
    OD_TILING_OVERLAP, /* a chunk starts before the previous one ends, or ends after its region */
    OD_TILING_STRAY    /* chunks outside of all regions */
};

struct od_tiling {
    enum od_tiling_fault fault; /* the first fault found */
    bool at_end;                /* no fault before the end of the last region listed */
    uint64_t line;              /* line of the fault */
    uint64_t end, next;         /* where a chunk ends, and where what follows should start */
    size_t unsized;             /* regions without a printed size */
    uint64_t total;             /* sum over all regions of the printed size, or else the listed
                                   size */
};

struct od_parts {
    struct od_allocator *a;
    struct od_arena *arena;
    struct od_tiling tiling;
    uint64_t summary_sum; /* sum of count * size over the summary rows */
    uint64_t shown_bins;  /* number of chunks that the bin rows count: all of them, or only free
                             ones */
    bool free_bins;       /* the bin rows count free chunks only */
    const char *missing;  /* why chunks may be missing from the list; NULL = no sign of it */
};

/* *sum += n, saturating. */
void od_sum_add(uint64_t *sum, uint64_t n);

/* od_region_listed: sum of the region's chunks. od_region_bytes: its printed size, or else that
 * sum. */
uint64_t od_region_listed(const struct od_dump *dump, const struct od_region *region);
uint64_t od_region_bytes(const struct od_dump *dump, const struct od_region *region);

/* Fills parts->tiling from the chunk list. */
void od_tiling_measure(struct od_parts *parts);

/* Why chunks may be missing from the list. All other members of parts must be set. */
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

/* The line of stars in the chunk list with 'x' shown as '*', as in TensorFlow's
 * BFCAllocator::RenderOccupancy. False if there are no bytes, or too many to compute with. */
bool od_occupancy_render(const struct od_dump *dump, uint64_t total,
                         char cells[static OD_OCCUPANCY_CELLS]);
