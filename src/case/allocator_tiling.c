#include "case/allocator_parts.h"

static uint64_t line_of(const struct od_dump *dump, const struct od_chunk *chunk)
{
    return dump->at.line + chunk->line;
}

static void blame(struct od_tiling *t, const struct od_tiling *fault)
{
    if (t->fault != OD_TILING_OK)
        return;
    t->fault = fault->fault;
    t->at_end = fault->at_end;
    t->line = fault->line;
    t->expected = fault->expected;
    t->found = fault->found;
}

static void check_addresses(struct od_tiling *t, const struct od_dump *dump,
                            const struct od_region *region, bool at_end)
{
    uint64_t expected = region->address;
    for (size_t i = 0; i < region->nchunks; i++) {
        const struct od_chunk *chunk = &dump->chunks.items[region->first_chunk + i];
        if (chunk->address != expected) {
            blame(t, &(struct od_tiling){.fault = chunk->address > expected ? OD_TILING_GAP
                                                                            : OD_TILING_OVERLAP,
                                         .at_end = at_end,
                                         .line = line_of(dump, chunk),
                                         .expected = expected,
                                         .found = chunk->address});
            return;
        }
        od_sum_add(&expected, chunk->bytes);
    }
}

static void check_size(struct od_tiling *t, const struct od_dump *dump,
                       const struct od_region *region, bool at_end)
{
    uint64_t listed = od_region_listed(dump, region);
    od_sum_add(&t->total, od_region_bytes(dump, region));
    if (!region->announced.known) {
        t->unsized++;
        return;
    }
    if (od_bytes_same(region->announced, od_bytes_exact(listed)) != OD_NO)
        return;
    blame(t, &(struct od_tiling){.fault = listed < region->announced.lo ? OD_TILING_SHORT
                                                                        : OD_TILING_LONG,
                                 .at_end = at_end,
                                 .line = region->line,
                                 .expected = region->announced.n,
                                 .found = listed});
}

struct span {
    uint64_t start;
    uint64_t end;
    uint64_t line;
};

static int by_start(const void *left, const void *right)
{
    const struct span *l = left, *r = right;
    return (l->start > r->start) - (l->start < r->start);
}

static void check_regions_apart(struct od_tiling *t, const struct od_dump *dump)
{
    size_t n = dump->regions.n;
    struct span *spans = od_mem_alloc(n, sizeof *spans);
    for (size_t i = 0; i < n; i++) {
        const struct od_region *region = &dump->regions.items[i];
        spans[i] = (struct span){region->address, region->address, region->line};
        od_sum_add(&spans[i].end, od_region_bytes(dump, region));
    }
    qsort(spans, n, sizeof *spans, by_start);
    for (size_t i = 1; i < n; i++) {
        if (spans[i].start < spans[i - 1].end)
            blame(t, &(struct od_tiling){.fault = OD_TILING_REGIONS,
                                         .line = spans[i].line,
                                         .expected = spans[i - 1].end,
                                         .found = spans[i].start});
    }
    od_mem_free(spans);
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
    for (size_t i = 0; i < dump->regions.n; i++) {
        bool at_end = i + 1 == dump->regions.n;
        check_addresses(t, dump, &dump->regions.items[i], at_end);
        check_size(t, dump, &dump->regions.items[i], at_end);
    }
    if (dump->regions.n > 1)
        check_regions_apart(t, dump);
}

static bool tail_is_cut(const struct od_dump *dump)
{
    return dump->cut_tail && dump->summary.n == 0 && !dump->sum_total.known &&
           dump->stats.line == 0;
}

/* How many independent numbers of the dump are larger than the list's. One alone is a
 * contradiction; two or more mean that chunks are missing from the list. */
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
    if (parts->tiling.fault == OD_TILING_SHORT)
        return "a region is not listed to its end";
    if (!dump->has_header && dump->bins.n == 0)
        return "the beginning of the dump is missing";
    if (tail_is_cut(dump))
        return "the end of the dump is missing";
    if (larger_than_listed(parts) >= 2)
        return "chunks are missing from the list";
    return NULL;
}
