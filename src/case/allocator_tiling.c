#include "case/allocator_parts.h"

static uint64_t line_of(const struct od_dump *dump, const struct od_chunk *chunk)
{
    return dump->at.line + chunk->line;
}

/* Checks that the item at `next` starts where the previous one ends. Keeps the first fault. */
static bool follows(struct od_tiling *t, uint64_t line, uint64_t end, uint64_t next)
{
    if (end == next || t->fault != OD_TILING_OK)
        return end == next;
    t->fault = next > end ? OD_TILING_GAP : OD_TILING_OVERLAP;
    t->line = line;
    t->end = end;
    t->next = next;
    return false;
}

static void check_region(struct od_tiling *t, const struct od_dump *dump,
                         const struct od_region *region)
{
    uint64_t end = region->address, listed = od_region_listed(dump, region);
    bool fits = true;
    for (size_t i = 0; i < region->nchunks && fits; i++) {
        const struct od_chunk *chunk = &dump->chunks.items[region->first_chunk + i];
        fits = follows(t, line_of(dump, chunk), end, chunk->address);
        od_sum_add(&end, chunk->bytes);
    }
    od_sum_add(&t->total, od_region_bytes(dump, region));
    t->unsized += !region->announced.known;
    t->at_end = t->fault == OD_TILING_OK && region == &dump->regions.items[dump->regions.n - 1];
    if (od_bytes_same(region->announced, od_bytes_exact(listed)) == OD_NO)
        (void)follows(t, region->line, region->address + listed,
                      region->address + region->announced.n);
}

/* Does every chunk belong to a region, and does no region extend beyond the list? */
static bool regions_hold_chunks(const struct od_dump *dump)
{
    size_t held = 0;
    OD_FOR_EACH (const struct od_region, region, dump->regions) {
        if (region->first_chunk > dump->chunks.n ||
            region->nchunks > dump->chunks.n - region->first_chunk ||
            region->nchunks > dump->chunks.n - held)
            return false;
        held += region->nchunks;
    }
    return held == dump->chunks.n;
}

void od_tiling_measure(struct od_parts *parts)
{
    struct od_dump *dump = &parts->a->dump;
    struct od_tiling *t = &parts->tiling;
    if (!regions_hold_chunks(dump)) {
        dump->regions.n = 0;
        t->fault = OD_TILING_STRAY;
        t->line = dump->at.line;
        return;
    }
    OD_FOR_EACH (const struct od_region, region, dump->regions)
        check_region(t, dump, region);
}

static bool tail_is_cut(const struct od_dump *dump)
{
    return dump->cut_tail && dump->summary.n == 0 && !dump->sum_total.known &&
           dump->stats.line == 0;
}

/* The number of independent numbers in the dump that exceed the list's. One is a contradiction; two
 * or more show that the list lacks chunks. */
static unsigned larger_than_listed(const struct od_parts *parts)
{
    const struct od_allocator *a = parts->a;
    uint64_t tallied = parts->free_bins ? a->free_count : a->dump.chunks.n;
    unsigned n = 0;
    n += a->in_use.known ? a->in_use_bytes < a->in_use.n : a->in_use_bytes < parts->summary_sum;
    n += a->pool.known && parts->tiling.total < a->pool.n;
    n += tallied < parts->shown_bins;
    return n;
}

const char *od_parts_missing(const struct od_parts *parts)
{
    const struct od_dump *dump = &parts->a->dump;
    if (dump->chunk_limit_hit || dump->chunks_lost > 0)
        return "our limit closed the chunk table";
    if (dump->interleaved)
        return "lines of several dumps are mixed";
    if (dump->chunks.n == 0)
        return NULL;
    if (parts->tiling.fault == OD_TILING_GAP)
        return "the chunk list has a gap";
    if (!dump->has_header && dump->bins.n == 0)
        return "the beginning of the dump is missing";
    if (tail_is_cut(dump))
        return "the end of the dump is missing";
    if (larger_than_listed(parts) >= 2)
        return "chunks are missing from the list";
    return NULL;
}
