#include "case/allocator.h"

#include "base/index.h"
#include "base/map.h"
#include "case/allocator_parts.h"
#include "case/device.h"

static const char *const verdict_names[] = {
    [OD_VERDICT_EXHAUSTED] = "exhausted",
    [OD_VERDICT_FRAGMENTED] = "fragmented",
    [OD_VERDICT_DEVICE_REFUSED] = "device_refused",
    [OD_VERDICT_FITS] = "fits",
};

const char *od_verdict_name(enum od_verdict verdict)
{
    return verdict < OD_COUNT_OF(verdict_names) ? verdict_names[verdict] : NULL;
}

static bool round_up(uint64_t *bytes, uint64_t unit)
{
    uint64_t more;
    if (ckd_add(&more, *bytes, unit - 1))
        return false;
    *bytes = more / unit * unit;
    return true;
}

struct od_bytes od_family_round(enum od_family family, struct od_bytes bytes)
{
    uint64_t unit = family == OD_FAMILY_TORCH ? OD_TORCH_UNIT : OD_BFC_UNIT;
    if (!bytes.known || !round_up(&bytes.n, unit) || !round_up(&bytes.lo, unit) ||
        !round_up(&bytes.hi, unit))
        return (struct od_bytes){0};
    return bytes;
}

struct od_bytes od_bfc_round(struct od_bytes bytes)
{
    return od_family_round(OD_FAMILY_BFC, bytes);
}

static void sum_add_product(uint64_t *sum, uint64_t a, uint64_t b)
{
    uint64_t product;
    od_sum_add(sum, ckd_mul(&product, a, b) ? UINT64_MAX : product);
}

static void count_chunk(struct od_allocator *a, const struct od_chunk *chunk)
{
    struct od_bin *bin = &a->bins[od_bin_of(chunk->bytes)];
    bin->chunks++;
    od_sum_add(&bin->bytes, chunk->bytes);
    if (chunk->in_use) {
        bin->chunks_in_use++;
        od_sum_add(&bin->bytes_in_use, chunk->bytes);
        a->in_use_count++;
        od_sum_add(&a->in_use_bytes, chunk->bytes);
        return;
    }
    a->free_count++;
    od_sum_add(&a->free_bytes, chunk->bytes);
    if (chunk->bytes > a->largest_free_bytes)
        a->largest_free_bytes = chunk->bytes;
}

static void count_chunks(struct od_allocator *a)
{
    for (unsigned i = 0; i < OD_BINS; i++)
        a->bins[i].min_bytes = (uint64_t)OD_BFC_UNIT << i;
    for (size_t i = 0; i < a->dump.chunks.n; i++)
        count_chunk(a, &a->dump.chunks.items[i]);
}

static int by_total(const void *left, const void *right)
{
    const struct od_size *l = left, *r = right;
    if (l->total != r->total)
        return l->total < r->total ? 1 : -1;
    return (l->bytes < r->bytes) - (l->bytes > r->bytes);
}

struct od_sizes {
    struct od_size *items;
    size_t n, room;
};

static void count_size(struct od_sizes *sizes, struct od_index *known, uint64_t bytes)
{
    uint32_t at = od_index_get(known, bytes);
    if (at == 0) {
        od_vec_push(sizes, (struct od_size){.bytes = bytes});
        at = (uint32_t)sizes->n;
        od_index_put(known, bytes, at);
    }
    struct od_size *size = &sizes->items[at - 1];
    size->count++;
    od_sum_add(&size->total, bytes);
}

static void tabulate_sizes(struct od_arena *arena, struct od_allocator *a)
{
    struct od_sizes sizes = {0};
    struct od_index known = {0};
    if (a->in_use_count == 0)
        return;
    for (size_t i = 0; i < a->dump.chunks.n; i++) {
        if (a->dump.chunks.items[i].in_use)
            count_size(&sizes, &known, a->dump.chunks.items[i].bytes);
    }
    qsort(sizes.items, sizes.n, sizeof *sizes.items, by_total);
    a->sizes = OD_NEW_N(arena, sizes.n, struct od_size);
    a->nsizes = sizes.n;
    memcpy(a->sizes, sizes.items, sizes.n * sizeof *sizes.items);
    od_vec_done(&sizes);
    od_index_done(&known);
}

/* Takes the sizes from the printed summary if the dump has no chunk list. */
static void tabulate_summary(struct od_arena *arena, struct od_allocator *a)
{
    const struct od_dump *dump = &a->dump;
    if (a->has_chunks || dump->summary.n == 0)
        return;
    a->sizes = OD_NEW_N(arena, dump->summary.n, struct od_size);
    for (size_t i = 0; i < dump->summary.n; i++) {
        const struct od_summary_row *row = &dump->summary.items[i];
        struct od_size size = {.bytes = row->bytes, .count = od_row_count(a, i)};
        if (row->count > 0 && !ckd_mul(&size.total, row->bytes, size.count))
            a->sizes[a->nsizes++] = size;
    }
    qsort(a->sizes, a->nsizes, sizeof *a->sizes, by_total);
}

static int by_held(const void *left, const void *right)
{
    const struct od_holder *l = left, *r = right;
    if (l->bytes != r->bytes)
        return l->bytes < r->bytes ? 1 : -1;
    return od_view_cmp(l->op, r->op);
}

static struct od_view op_of(const struct od_dump *dump, const struct od_chunk *chunk)
{
    if (!chunk->in_use || chunk->details == 0 || chunk->details > dump->details.n)
        return (struct od_view){0};
    return dump->details.items[chunk->details - 1].op;
}

static void tabulate_holders(struct od_arena *arena, struct od_allocator *a)
{
    OD_VEC(struct od_holder) all = {0};
    struct od_map known = {0};
    for (size_t i = 0; i < a->dump.chunks.n; i++) {
        const struct od_chunk *chunk = &a->dump.chunks.items[i];
        struct od_view op = op_of(&a->dump, chunk);
        if (op.n == 0)
            continue;
        uint64_t *at = od_map_at(&known, op);
        if (*at == 0) {
            od_vec_push(&all, (struct od_holder){.op = op});
            *at = all.n;
        }
        struct od_holder *holder = &all.items[*at - 1];
        holder->count++;
        od_sum_add(&holder->bytes, chunk->bytes);
    }
    if (all.n > 0) {
        qsort(all.items, all.n, sizeof *all.items, by_held);
        a->holders = OD_NEW_N(arena, all.n, struct od_holder);
        memcpy(a->holders, all.items, all.n * sizeof *all.items);
        a->nholders = all.n;
    }
    od_map_done(&known);
    od_vec_done(&all);
}

static void count_holes(struct od_allocator *a)
{
    const struct od_dump *dump = &a->dump;
    a->usable = (struct od_holes){a->free_count, a->free_bytes, a->largest_free_bytes};
    if (dump->family == OD_FAMILY_BFC)
        return;
    a->usable = (struct od_holes){0};
    size_t region = 0;
    for (size_t i = 0; i < dump->chunks.n; i++) {
        while (region < dump->regions.n &&
               i >= dump->regions.items[region].first_chunk + dump->regions.items[region].nchunks)
            region++;
        const struct od_chunk *chunk = &dump->chunks.items[i];
        if (chunk->in_use || (region < dump->regions.n && dump->regions.items[region].barred))
            continue;
        a->usable.count++;
        od_sum_add(&a->usable.bytes, chunk->bytes);
        if (chunk->bytes > a->usable.largest)
            a->usable.largest = chunk->bytes;
    }
}

/* Copies *text into arena. Equal texts share one copy, because a debug dump names few operations in
 * many chunks. */
static void keep_shared(struct od_arena *arena, struct od_map *seen, struct od_view *text)
{
    if (text->n == 0) {
        *text = (struct od_view){0};
        return;
    }
    uint64_t *kept = od_map_at(seen, *text);
    if (*kept == 0)
        *kept = (uint64_t)(uintptr_t)od_arena_str(arena, *text);
    text->p = (const char *)(uintptr_t)*kept;
}

static void keep_texts(struct od_arena *arena, struct od_dump *dump)
{
    struct od_map seen = {0};
    keep_shared(arena, &seen, &dump->allocator);
    keep_shared(arena, &seen, &dump->op);
    keep_shared(arena, &seen, &dump->stamp);
    keep_shared(arena, &seen, &dump->occupancy);
    for (size_t i = 0; i < dump->details.n; i++) {
        keep_shared(arena, &seen, &dump->details.items[i].op);
        keep_shared(arena, &seen, &dump->details.items[i].tag);
        keep_shared(arena, &seen, &dump->details.items[i].annotation);
    }
    for (size_t i = 0; i < dump->calls.n; i++) {
        keep_shared(arena, &seen, &dump->calls.items[i].file);
        keep_shared(arena, &seen, &dump->calls.items[i].function);
    }
    for (size_t i = 0; i < OD_HISTORY_PLACES; i++)
        keep_shared(arena, &seen, &dump->history_places[i]);
    if (dump->place) {
        struct od_place *place = OD_NEW(arena, struct od_place);
        *place = *dump->place;
        keep_shared(arena, &seen, &place->host);
        keep_shared(arena, &seen, &place->process);
        dump->place = place;
    }
    od_map_done(&seen);
}

/* Allocators without a limit print a limit of 0. */
static struct od_count limit_of(const struct od_dump *dump)
{
    struct od_count limit = dump->memory_limit.known ? dump->memory_limit : dump->stats.limit;
    return limit.known && limit.n > 0 ? limit : (struct od_count){0};
}

/* Replaces an InUse that was printed with two decimal places by the exact sum of the chunks. */
static void correct_in_use(struct od_allocator *a)
{
    struct od_allocator_stats *stats = &a->dump.stats;
    if (!stats->rounded || a->in_use_count == 0 || !od_stats_in_use_is(stats, a->in_use_bytes))
        return;
    stats->in_use = a->in_use = od_count_of(a->in_use_bytes);
    if (stats->max_in_use.known && stats->max_in_use.n < stats->in_use.n)
        stats->max_in_use = stats->in_use;
}

static struct od_bytes need_of(const struct od_dump *dump)
{
    if (dump->rounded.known && od_bytes_less(dump->rounded, dump->requested) != OD_YES)
        return dump->rounded;
    return od_family_round(dump->family, dump->requested.known ? dump->requested : dump->bin_for);
}

/* Does the dump start with its first line: the header or, in old versions without a header, the
 * bins? */
static bool has_head(const struct od_dump *dump)
{
    return dump->has_header ||
           (dump->bins.n >= OD_BINS && dump->bins.items[0].min_bytes == OD_BFC_UNIT);
}

static void tally_rows(struct od_parts *parts)
{
    const struct od_dump *dump = &parts->a->dump;
    for (size_t i = 0; i < dump->summary.n; i++)
        sum_add_product(&parts->summary_sum, od_row_count(parts->a, i),
                        dump->summary.items[i].bytes);
    for (size_t i = 0; i < dump->bins.n; i++) {
        od_sum_add(&parts->shown_bins, dump->bins.items[i].chunks);
        parts->free_bins = parts->free_bins || dump->bins.items[i].free_only;
    }
}

/* Shrinks vectors to their size; they were grown while the rows were read. */
static void trim(struct od_dump *dump)
{
    od_vec_trim(&dump->chunks);
    od_vec_trim(&dump->details);
    od_vec_trim(&dump->regions);
    od_vec_trim(&dump->bins);
}

struct od_allocator *od_allocator_new(struct od_dump *dump)
{
    struct od_arena *arena = od_arena_new();
    struct od_allocator *a = OD_NEW(arena, struct od_allocator);
    a->arena = arena;
    a->dump = *dump;
    *dump = (struct od_dump){0};
    trim(&a->dump);
    keep_texts(arena, &a->dump);
    a->name = a->dump.allocator;
    a->device = od_device_of_allocator(arena, a->name);
    a->has_chunks = a->dump.chunks.n > 0;
    a->requested = a->dump.requested;
    a->need = need_of(&a->dump);
    a->limit = limit_of(&a->dump);
    a->in_use = a->dump.stats.in_use;
    a->pool = a->dump.pool;
    count_chunks(a);
    correct_in_use(a);
    tabulate_sizes(arena, a);
    od_counts_settle(a);
    tabulate_summary(arena, a);
    tabulate_holders(arena, a);
    count_holes(a);

    struct od_parts parts = {.a = a, .arena = arena};
    tally_rows(&parts);
    od_tiling_measure(&parts);
    parts.missing = od_parts_missing(&parts);
    od_checks_run(&parts);
    a->complete =
        a->chunks_complete && has_head(&a->dump) && !a->dump.cut_tail && a->dump.stats.in_use.known;
    a->verdict = od_verdict_of(a);
    if (a->has_chunks)
        od_vec_done(&a->dump.summary);
    return a;
}

void od_allocator_forget_chunks(struct od_allocator *a)
{
    od_vec_done(&a->dump.chunks);
    od_vec_done(&a->dump.details);
}

void od_allocator_free(struct od_allocator *allocator)
{
    if (!allocator)
        return;
    od_dump_done(&allocator->dump);
    od_arena_free(allocator->arena);
}
