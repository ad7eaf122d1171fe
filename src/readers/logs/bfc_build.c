#include "readers/logs/bfc_build.h"

#include "readers/logs/bfc_plan.h"

struct built {
    struct od_dump dump;
    uint64_t last;        /* last line */
    struct od_view words; /* text of its header, used as evidence */
    size_t nchunks, nregions;
    bool has_body, has_end;
};

struct work {
    struct od_bfc_pool *pool;
    struct od_bfc_plan plan;
    struct built *dumps;
    struct built **in_order;
    size_t n;
};

static struct built *owner_of(struct work *w, uint32_t owner)
{
    return owner < w->n ? &w->dumps[owner] : NULL;
}

static void cover(struct built *b, struct od_bfc_position first, uint64_t last)
{
    if (b->dump.at.line == 0 || first.line < b->dump.at.line) {
        b->dump.at.line = first.line;
        b->dump.at.offset = first.offset;
    }
    if (last > b->last)
        b->last = last;
}

static struct built *cover_item(struct work *w, uint32_t owner, struct od_bfc_position position)
{
    struct built *b = owner_of(w, owner);
    if (b) {
        b->has_body = true;
        cover(b, position, position.line);
    }
    return b;
}

/* ---- lines ---- */

static void put_starts(struct work *w)
{
    for (size_t i = 0; i < w->pool->starts.n; i++) {
        const struct od_bfc_start *s = &w->pool->starts.items[i];
        struct built *b = owner_of(w, w->plan.starts[i]);
        if (!b || b->dump.has_header)
            continue;
        uint64_t tail = s->nlines > 0 ? s->nlines - 1 : 0;
        cover(b, s->position, s->position.line + tail);
        b->dump.has_header = s->is_header;
        b->dump.allocator = s->allocator;
        b->dump.requested = s->requested;
        b->dump.rounded = s->rounded;
        b->dump.op = s->op;
        b->dump.stamp = s->stamp;
        b->words = s->words;
    }
}

/* Dumps of TF 0.x start with their bins and end with the request. */
static void put_lates(struct work *w)
{
    for (size_t i = 0; i < w->pool->lates.n; i++) {
        const struct od_bfc_start *s = &w->pool->lates.items[i];
        struct built *b = owner_of(w, w->plan.lates[i]);
        if (!b || b->dump.requested.known)
            continue;
        uint64_t tail = s->nlines > 0 ? s->nlines - 1 : 0;
        cover(b, s->position, s->position.line + tail);
        b->dump.requested = s->requested;
        b->dump.stamp = s->stamp;
        b->words = s->words;
        b->dump.has_header = b->dump.bins.n > 0 && b->dump.bins.items[0].free_only &&
                             b->dump.bins.items[0].min_bytes == 256;
    }
}

static void put_bins(struct work *w)
{
    for (size_t i = 0; i < w->pool->bins.n; i++) {
        const struct od_bfc_bin_item *item = &w->pool->bins.items[i];
        struct built *b = cover_item(w, w->plan.bins[i], item->position);
        if (b)
            od_vec_push(&b->dump.bins, item->row);
    }
    for (size_t i = 0; i < w->pool->bin_fors.n; i++) {
        const struct od_bfc_bytes_item *item = &w->pool->bin_fors.items[i];
        struct built *b = cover_item(w, w->plan.bin_fors[i], item->position);
        if (b && !b->dump.bin_for.known)
            b->dump.bin_for = item->bytes;
    }
}

static void put_sums(struct work *w)
{
    for (size_t i = 0; i < w->pool->rows.n; i++) {
        const struct od_bfc_row_item *item = &w->pool->rows.items[i];
        struct built *b = cover_item(w, w->plan.rows[i], item->position);
        if (b)
            od_vec_push(&b->dump.summary, item->row);
    }
    for (size_t i = 0; i < w->pool->totals.n; i++) {
        const struct od_bfc_bytes_item *item = &w->pool->totals.items[i];
        struct built *b = cover_item(w, w->plan.totals[i], item->position);
        if (b && !b->dump.sum_total.known) {
            b->dump.sum_total = item->bytes;
            b->dump.sum_total_line = item->position.line;
        }
    }
    for (size_t i = 0; i < w->pool->pools.n; i++) {
        const struct od_bfc_pool_item *item = &w->pool->pools.items[i];
        struct built *b = cover_item(w, w->plan.pools[i], item->position);
        if (b && !b->dump.pool.known) {
            b->dump.pool = item->pool.pool;
            b->dump.memory_limit = item->pool.limit;
            b->dump.available = item->pool.available;
            b->dump.pool_line = item->position.line;
        }
    }
}

static void put_ends(struct work *w)
{
    for (size_t i = 0; i < w->pool->stats.n; i++) {
        const struct od_bfc_stats_item *item = &w->pool->stats.items[i];
        struct built *b = cover_item(w, w->plan.stats[i], item->position);
        if (!b)
            continue;
        cover(b, item->position, item->last_line);
        if (b->dump.stats.line == 0)
            b->dump.stats = item->stats;
    }
    for (size_t i = 0; i < w->pool->occupancies.n; i++) {
        const struct od_bfc_text_item *item = &w->pool->occupancies.items[i];
        struct built *b = cover_item(w, w->plan.occupancies[i], item->position);
        if (!b)
            continue;
        b->has_end = true;
        if (b->dump.occupancy_line == 0) {
            b->dump.occupancy = item->text;
            b->dump.occupancy_line = item->position.line;
        }
    }
}

/* ---- chunks ---- */

static void count_chains(struct work *w)
{
    for (size_t c = 0; c < w->pool->chains.n; c++) {
        const struct od_bfc_chain *chain = &w->pool->chains.items[c];
        struct built *b = cover_item(w, w->plan.chains[c], chain->first);
        if (!b)
            continue;
        uint32_t said = w->plan.announced[c];
        cover(b, said == OD_BFC_NOBODY ? chain->first : w->pool->regions.items[said].position,
              chain->last.line);
        b->nregions++;
        b->nchunks += chain->nchunks - (size_t)chain->lost;
        b->dump.chunks_lost += chain->lost;
        b->dump.chunk_limit_hit = b->dump.chunks_lost > 0;
    }
}

/* Regions in order of time; returns the index of each chain's first chunk in its dump. */
static size_t *put_regions(struct work *w)
{
    size_t *begin = od_mem_alloc(w->pool->chains.n + 1, sizeof *begin);
    for (size_t c = 0; c < w->pool->chains.n; c++) {
        const struct od_bfc_chain *chain = &w->pool->chains.items[c];
        struct built *b = owner_of(w, w->plan.chains[c]);
        if (!b)
            continue;
        struct od_region region = {.address = chain->address,
                                   .nchunks = chain->nchunks - (size_t)chain->lost,
                                   .line = chain->first.line,
                                   .ended = chain->ended};
        uint32_t said = w->plan.announced[c];
        if (said != OD_BFC_NOBODY) {
            region.announced = w->pool->regions.items[said].bytes;
            region.line = w->pool->regions.items[said].position.line;
            region.ended = region.ended || region.announced.n == chain->bytes;
        }
        if (b->dump.regions.n > 0) {
            const struct od_region *last = &b->dump.regions.items[b->dump.regions.n - 1];
            region.first_chunk = last->first_chunk + last->nchunks;
        }
        begin[c] = region.first_chunk;
        od_vec_push(&b->dump.regions, region);
    }
    return begin;
}

/* Is the pool one chain after the other, so that its array can be used for the dump? */
static bool is_one_series(const struct work *w)
{
    if (w->n != 1)
        return false;
    for (size_t r = 1; r < w->pool->runs.n; r++)
        if (w->pool->runs.items[r].chain <= w->pool->runs.items[r - 1].chain)
            return false;
    return true;
}

static void steal_chunks(struct work *w)
{
    struct od_dump *dump = &w->dumps[0].dump;
    struct od_bfc_pool *pool = w->pool;
    dump->chunks.items = pool->chunks.items;
    dump->chunks.n = pool->chunks.n;
    dump->chunks.room = pool->chunks.room;
    dump->details.items = pool->details.items;
    dump->details.n = pool->details.n;
    dump->details.room = pool->details.room;
    pool->chunks.items = NULL;
    pool->chunks.n = pool->chunks.room = 0;
    pool->details.items = NULL;
    pool->details.n = pool->details.room = 0;
}

static void copy_chunk(struct work *w, struct built *b, size_t to, const struct od_chunk *chunk)
{
    b->dump.chunks.items[to] = *chunk;
    if (chunk->details == 0)
        return;
    od_vec_push(&b->dump.details, w->pool->details.items[chunk->details - 1]);
    b->dump.chunks.items[to].details = (uint32_t)b->dump.details.n;
}

/* begin[c] advances as the chunks of chain c are stored. */
static void sort_chunks(struct work *w, size_t *begin)
{
    OD_FOR_EACH_OF (struct built, b, w->dumps, w->n) {
        if (b->nchunks == 0)
            continue;
        b->dump.chunks.items = od_mem_alloc(b->nchunks, sizeof *b->dump.chunks.items);
        b->dump.chunks.n = b->dump.chunks.room = b->nchunks;
    }
    OD_FOR_EACH (const struct od_bfc_run, run, w->pool->runs) {
        struct built *b = owner_of(w, w->plan.chains[run->chain]);
        for (size_t i = run->first; b && i < run->first + run->n; i++)
            copy_chunk(w, b, begin[run->chain]++, &w->pool->chunks.items[i]);
    }
}

/* Makes line numbers relative to the dump instead of the pool. */
static void shift_lines(struct work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        struct od_dump *dump = &w->dumps[i].dump;
        uint64_t shift = dump->at.line - w->pool->at.line;
        for (size_t c = 0; shift > 0 && c < dump->chunks.n; c++)
            dump->chunks.items[c].line -= (uint32_t)shift;
    }
}

static int by_bin(const void *a, const void *b)
{
    const struct od_bin_row *x = a, *y = b;
    return x->min_bytes < y->min_bytes ? -1 : x->min_bytes > y->min_bytes;
}

static int by_bytes(const void *a, const void *b)
{
    const struct od_summary_row *x = a, *y = b;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Restores the order within each dump, because equal lines of two dumps may have been exchanged. */
static void sort_rows(struct work *w)
{
    for (size_t i = 0; w->pool->mixed && i < w->n; i++) {
        struct od_dump *dump = &w->dumps[i].dump;
        if (dump->bins.n > 1)
            qsort(dump->bins.items, dump->bins.n, sizeof *dump->bins.items, by_bin);
        if (dump->summary.n > 1)
            qsort(dump->summary.items, dump->summary.n, sizeof *dump->summary.items, by_bytes);
    }
}

/* ---- complete dumps ---- */

static int by_end(const void *a, const void *b)
{
    const struct built *const *x = a, *const *y = b;
    if ((*x)->last != (*y)->last)
        return (*x)->last < (*y)->last ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static void finish(struct work *w, struct built *b)
{
    struct od_dump *dump = &b->dump;
    uint64_t lines = b->last - dump->at.line + 1;
    dump->at.source = w->pool->at.source;
    dump->at.nlines = lines < UINT32_MAX ? (uint32_t)lines : UINT32_MAX;
    dump->lane = w->pool->lane;
    dump->place = w->pool->place;
    dump->cut_tail = !b->has_end;
}

static void mark_interleaved(struct work *w)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = i + 1; k < w->n; k++) {
            struct built *a = w->in_order[i], *b = w->in_order[k];
            if (a->has_body && b->has_body && b->dump.at.line < a->last)
                a->dump.interleaved = b->dump.interleaved = true;
        }
}

static void emit(struct built *b, const struct od_sink *sink)
{
    struct od_line line = {
        .text = b->words, .at = b->dump.at, .lane = b->dump.lane, .place = b->dump.place};
    struct od_event event = {.kind = OD_EV_DUMP,
                             .at = b->dump.at,
                             .line = &line,
                             .excerpt = b->words,
                             .rule = "bfc",
                             .dump = &b->dump};
    od_sink_put(sink, &event);
}

static void build(struct work *w)
{
    put_bins(w);
    put_starts(w);
    put_lates(w);
    put_sums(w);
    put_ends(w);
    count_chains(w);
    size_t *begin = put_regions(w);
    if (is_one_series(w))
        steal_chunks(w);
    else
        sort_chunks(w, begin);
    od_mem_free(begin);
    shift_lines(w);
    sort_rows(w);
}

void od_bfc_build(struct od_bfc_pool *pool, const struct od_sink *sink)
{
    if (pool->nrecords == 0 || od_bfc_pool_is_word(pool)) {
        od_bfc_pool_clear(pool);
        return;
    }
    struct work w = {.pool = pool};
    if (pool->mixed)
        od_bfc_plan_many(pool, &w.plan);
    else
        od_bfc_plan_one(pool, &w.plan);
    w.n = w.plan.ndumps;
    w.dumps = od_mem_alloc(w.n, sizeof *w.dumps);
    w.in_order = od_mem_alloc(w.n, sizeof(struct built *));
    build(&w);
    for (size_t i = 0; i < w.n; i++) {
        finish(&w, &w.dumps[i]);
        w.in_order[i] = &w.dumps[i];
    }
    qsort(w.in_order, w.n, sizeof(struct built *), by_end);
    mark_interleaved(&w);
    for (size_t i = 0; i < w.n; i++) {
        if (w.in_order[i]->has_body)
            emit(w.in_order[i], sink);
        od_dump_done(&w.in_order[i]->dump);
    }
    od_bfc_plan_done(&w.plan);
    od_mem_free(w.in_order);
    od_mem_free(w.dumps);
    od_bfc_pool_clear(pool);
}

bool od_bfc_build_adds_up(const struct od_bfc_pool *pool)
{
    uint64_t in_use = 0;
    for (size_t i = 0; i < pool->chains.n; i++)
        in_use += pool->chains.items[i].in_use;
    return !pool->mixed && pool->stats.n == 1 && pool->stats.items[0].stats.in_use.known &&
           od_stats_in_use_is(&pool->stats.items[0].stats, in_use);
}
