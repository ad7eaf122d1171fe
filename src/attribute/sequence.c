#include "attribute/sequence.h"

#include "base/index.h"

/* ---- sizes of the table ---- */

static void index_sizes(const struct od_allocator *allocator, struct od_index *sizes)
{
    for (size_t i = 0; i < allocator->nsizes; i++) {
        if (od_index_get(sizes, allocator->sizes[i].bytes) == 0)
            od_index_put(sizes, allocator->sizes[i].bytes, (uint32_t)i + 1);
    }
}

/* ---- time of allocation ---- */

struct od_dated {
    double when; /* the chunk's handle; interpolated handles end in .5 */
    uint32_t chunk;
};

static int compare_dated(const void *a, const void *b)
{
    const struct od_dated *x = a, *y = b;
    if (x->when < y->when || x->when > y->when)
        return x->when < y->when ? -1 : 1;
    return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

static bool is_sorted(const struct od_dated *dated, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (compare_dated(&dated[i - 1], &dated[i]) > 0)
            return false;
    }
    return true;
}

struct od_dated_region {
    uint64_t bytes;
    double first; /* handle of the region's first chunk; negative = not known yet */
    uint32_t region;
};

static int compare_regions(const void *a, const void *b)
{
    const struct od_dated_region *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->region > y->region) - (x->region < y->region);
}

static size_t region_end(const struct od_dump *dump, const struct od_region *region)
{
    if (region->first_chunk > dump->chunks.n)
        return region->first_chunk;
    size_t room = dump->chunks.n - region->first_chunk;
    return region->first_chunk + (region->nchunks < room ? region->nchunks : room);
}

static struct od_dated_region measure(const struct od_dump *dump, uint32_t index)
{
    const struct od_region *region = &dump->regions.items[index];
    struct od_dated_region dated = {.first = -1, .region = index};
    for (size_t i = region->first_chunk; i < region_end(dump, region); i++) {
        const struct od_chunk *chunk = &dump->chunks.items[i];
        if (ckd_add(&dated.bytes, dated.bytes, chunk->bytes))
            dated.bytes = UINT64_MAX;
        if (chunk->next < OD_HANDLE_UNKNOWN && (dated.first < 0 || chunk->next < dated.first))
            dated.first = chunk->next;
    }
    return dated;
}

/* Finds the handle of each region's first chunk. Regions grow, so a region of one chunk is younger
 * than the next smaller region. */
static double *first_handles(const struct od_dump *dump, struct od_arena *arena)
{
    struct od_dated_region *regions = OD_NEW_N(arena, dump->regions.n + 1, struct od_dated_region);
    double *first = OD_NEW_N(arena, dump->regions.n + 1, double);
    double latest = 0;
    for (size_t i = 0; i < dump->regions.n; i++)
        regions[i] = measure(dump, (uint32_t)i);
    qsort(regions, dump->regions.n, sizeof *regions, compare_regions);
    for (size_t i = 0; i < dump->regions.n; i++) {
        double when = regions[i].first < 0 ? latest + 0.25 : regions[i].first - 0.5;
        latest = when > latest ? when : latest;
        first[regions[i].region] = when;
    }
    return first;
}

static bool has_handles(const struct od_dump *dump)
{
    for (size_t i = 0; i < dump->chunks.n; i++) {
        if (dump->chunks.items[i].next < OD_HANDLE_UNKNOWN)
            return true;
    }
    return false;
}

/* Lists the chunks in use with their handles. */
static size_t date_all(const struct od_dump *dump, struct od_arena *arena, struct od_dated *dated)
{
    double *first = first_handles(dump, arena);
    size_t n = 0;
    for (size_t r = 0; r < dump->regions.n; r++) {
        const struct od_region *region = &dump->regions.items[r];
        double when = first[r];
        for (size_t i = region->first_chunk; i < region_end(dump, region); i++) {
            const struct od_chunk *chunk = &dump->chunks.items[i];
            if (chunk->in_use && n < dump->chunks.n)
                dated[n++] = (struct od_dated){when, (uint32_t)i};
            if (chunk->next < OD_HANDLE_UNKNOWN)
                when = chunk->next;
        }
    }
    return n;
}

static size_t date_by_address(const struct od_dump *dump, struct od_dated *dated)
{
    size_t n = 0;
    for (size_t i = 0; i < dump->chunks.n; i++) {
        if (dump->chunks.items[i].in_use)
            dated[n++] = (struct od_dated){(double)i, (uint32_t)i};
    }
    return n;
}

/* Makes a sequence from a printed summary: repeats each row by its count. */
static struct od_sequence from_sizes(const struct od_allocator *allocator, struct od_arena *arena)
{
    enum { PIECES_MOST = 1 << 20 };
    struct od_sequence sequence = {0};
    uint64_t n = 0;
    for (size_t i = 0; i < allocator->nsizes; i++) {
        if (ckd_add(&n, n, allocator->sizes[i].count) || n > PIECES_MOST)
            return sequence;
    }
    sequence.step = n;
    sequence.items = OD_NEW_N(arena, n + 1, struct od_piece);
    for (size_t i = 0; i < allocator->nsizes; i++) {
        const struct od_size *size = &allocator->sizes[i];
        if (ckd_add(&sequence.bytes, sequence.bytes, size->total))
            return (struct od_sequence){0};
        for (uint64_t k = 0; k < size->count; k++)
            sequence.items[sequence.n++] = (struct od_piece){size->bytes, OD_NO_CHUNK, (uint32_t)i};
    }
    return sequence;
}

struct od_sequence od_sequence_of(const struct od_allocator *allocator, struct od_arena *arena)
{
    const struct od_dump *dump = &allocator->dump;
    struct od_sequence sequence = {0};
    if (!allocator->has_chunks)
        return from_sizes(allocator, arena);
    bool handles = dump->family == OD_FAMILY_BFC && has_handles(dump);
    struct od_dated *dated = OD_NEW_N(arena, dump->chunks.n + 1, struct od_dated);
    struct od_index sizes = {0};
    index_sizes(allocator, &sizes);
    size_t n = handles ? date_all(dump, arena, dated) : date_by_address(dump, dated);
    if (handles && !is_sorted(dated, n))
        qsort(dated, n, sizeof *dated, compare_dated);
    sequence.ordered =
        handles || (dump->family == OD_FAMILY_BFC && dump->regions.n == 1 && !dump->interleaved);
    sequence.items = OD_NEW_N(arena, n + 1, struct od_piece);
    for (size_t i = 0; i < n; i++) {
        const struct od_chunk *chunk = &dump->chunks.items[dated[i].chunk];
        uint32_t size = od_index_get(&sizes, chunk->bytes);
        if (size == 0 || ckd_add(&sequence.bytes, sequence.bytes, chunk->bytes))
            continue;
        sequence.items[sequence.n++] = (struct od_piece){chunk->bytes, dated[i].chunk, size - 1};
    }
    od_index_done(&sizes);
    sequence.step = sequence.n;
    return sequence;
}
