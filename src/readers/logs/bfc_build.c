#include "readers/logs/bfc_build.h"

struct built {
    const struct od_bfc_pool *pool;
    struct od_dump dump;
    uint64_t last;        /* last line */
    struct od_view words; /* text of its header, used as evidence */
    bool has_end;
};

static void cover(struct built *b, struct od_bfc_position first, uint64_t last)
{
    if (b->dump.at.line == 0 || first.line < b->dump.at.line) {
        b->dump.at.line = first.line;
        b->dump.at.offset = first.offset;
    }
    if (last > b->last)
        b->last = last;
}

/* ---- lines ---- */

static void cover_start(struct built *b, const struct od_bfc_start *s)
{
    cover(b, s->position, s->position.line + (s->nlines > 0 ? s->nlines - 1 : 0));
    b->dump.requested = s->requested;
    b->dump.stamp = s->stamp;
    b->words = s->words;
}

static void put_start(struct built *b, const struct od_bfc_start *s)
{
    cover_start(b, s);
    b->dump.has_header = s->is_header;
    b->dump.allocator = s->allocator;
    b->dump.rounded = s->rounded;
    b->dump.op = s->op;
}

/* Dumps of TF 0.x start with their bins and end with the request. */
static void put_lates(struct built *b)
{
    for (size_t i = 0; i < b->pool->lates.n && !b->dump.requested.known; i++) {
        cover_start(b, &b->pool->lates.items[i]);
        b->dump.has_header = b->dump.bins.n > 0 && b->dump.bins.items[0].free_only &&
                             b->dump.bins.items[0].min_bytes == 256;
    }
}

static void put_bins(struct built *b)
{
    OD_FOR_EACH (const struct od_bfc_bin_item, item, b->pool->bins) {
        cover(b, item->position, item->position.line);
        od_vec_push(&b->dump.bins, item->row);
    }
    OD_FOR_EACH (const struct od_bfc_bytes_item, item, b->pool->bin_fors) {
        cover(b, item->position, item->position.line);
        if (!b->dump.bin_for.known)
            b->dump.bin_for = item->bytes;
    }
}

static void put_sums(struct built *b)
{
    OD_FOR_EACH (const struct od_bfc_row_item, item, b->pool->rows) {
        cover(b, item->position, item->position.line);
        od_vec_push(&b->dump.summary, item->row);
    }
    OD_FOR_EACH (const struct od_bfc_bytes_item, item, b->pool->totals) {
        cover(b, item->position, item->position.line);
        if (!b->dump.sum_total.known) {
            b->dump.sum_total = item->bytes;
            b->dump.sum_total_line = item->position.line;
        }
    }
    OD_FOR_EACH (const struct od_bfc_pool_item, item, b->pool->pools) {
        cover(b, item->position, item->position.line);
        if (!b->dump.pool.known) {
            b->dump.pool = item->pool.pool;
            b->dump.memory_limit = item->pool.limit;
            b->dump.available = item->pool.available;
            b->dump.pool_line = item->position.line;
        }
    }
}

static void put_ends(struct built *b)
{
    OD_FOR_EACH (const struct od_bfc_stats_item, item, b->pool->stats) {
        cover(b, item->position, item->last_line);
        if (b->dump.stats.line == 0)
            b->dump.stats = item->stats;
    }
    OD_FOR_EACH (const struct od_bfc_text_item, item, b->pool->occupancies) {
        cover(b, item->position, item->position.line);
        b->has_end = true;
        if (b->dump.occupancy_line == 0) {
            b->dump.occupancy = item->text;
            b->dump.occupancy_line = item->position.line;
        }
    }
}

/* ---- chunks ---- */

/* The last line that announced a region before the chain, if it is large enough; NULL if there is
 * none. *next is the first announcement that was not examined. */
static const struct od_bfc_bytes_item *announced(const struct od_bfc_pool *pool,
                                                 const struct od_bfc_chain *chain, size_t *next)
{
    const struct od_bfc_bytes_item *found = NULL;
    while (*next < pool->regions.n && pool->regions.items[*next].position.seq < chain->first.seq)
        found = &pool->regions.items[(*next)++];
    return found && found->bytes.n >= chain->bytes ? found : NULL;
}

/* Regions in order of time; returns the index of each chain's first chunk in the dump. */
static size_t *put_regions(struct built *b)
{
    size_t *begin = od_mem_alloc(b->pool->chains.n + 1, sizeof *begin), chunks = 0, next = 0;
    for (size_t c = 0; c < b->pool->chains.n; c++) {
        const struct od_bfc_chain *chain = &b->pool->chains.items[c];
        const struct od_bfc_bytes_item *said = announced(b->pool, chain, &next);
        struct od_region region = {.address = chain->address,
                                   .first_chunk = chunks,
                                   .nchunks = chain->nchunks - (size_t)chain->lost,
                                   .line = chain->first.line,
                                   .ended = chain->ended};
        cover(b, said ? said->position : chain->first, chain->last.line);
        if (said) {
            region.announced = said->bytes;
            region.line = said->position.line;
            region.ended = region.ended || region.announced.n == chain->bytes;
        }
        begin[c] = region.first_chunk;
        chunks += region.nchunks;
        b->dump.chunks_lost += chain->lost;
        od_vec_push(&b->dump.regions, region);
    }
    b->dump.chunk_limit_hit = b->dump.chunks_lost > 0;
    return begin;
}

/* Is the pool one chain after the other, so that its array can be used for the dump? */
static bool is_one_series(const struct od_bfc_pool *pool)
{
    for (size_t r = 1; r < pool->runs.n; r++)
        if (pool->runs.items[r].chain <= pool->runs.items[r - 1].chain)
            return false;
    return true;
}

static void steal_chunks(struct built *b, struct od_bfc_pool *pool)
{
    struct od_dump *dump = &b->dump;
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

static void copy_chunk(struct built *b, size_t to, const struct od_chunk *chunk)
{
    b->dump.chunks.items[to] = *chunk;
    if (chunk->details == 0)
        return;
    od_vec_push(&b->dump.details, b->pool->details.items[chunk->details - 1]);
    b->dump.chunks.items[to].details = (uint32_t)b->dump.details.n;
}

/* begin[c] advances as the chunks of chain c are stored. */
static void sort_chunks(struct built *b, size_t *begin)
{
    b->dump.chunks.items = od_mem_alloc(b->pool->chunks.n, sizeof *b->dump.chunks.items);
    b->dump.chunks.n = b->dump.chunks.room = b->pool->chunks.n;
    OD_FOR_EACH (const struct od_bfc_run, run, b->pool->runs)
        for (size_t i = run->first; i < run->first + run->n; i++)
            copy_chunk(b, begin[run->chain]++, &b->pool->chunks.items[i]);
}

/* Makes line numbers relative to the dump instead of the pool. */
static void shift_lines(struct built *b)
{
    uint64_t shift = b->dump.at.line - b->pool->at.line;
    for (size_t c = 0; shift > 0 && c < b->dump.chunks.n; c++)
        b->dump.chunks.items[c].line -= (uint32_t)shift;
}

/* ---- complete dumps ---- */

static void emit(struct built *b, const struct od_sink *sink)
{
    struct od_dump *dump = &b->dump;
    uint64_t lines = b->last - dump->at.line + 1;
    dump->at.source = b->pool->at.source;
    dump->at.nlines = lines < UINT32_MAX ? (uint32_t)lines : UINT32_MAX;
    dump->lane = b->pool->lane;
    dump->place = b->pool->place;
    dump->cut_tail = !b->has_end && !dump->interleaved;
    struct od_line line = {
        .text = b->words, .at = dump->at, .lane = dump->lane, .place = dump->place};
    struct od_event event = {.kind = OD_EV_DUMP,
                             .at = dump->at,
                             .line = &line,
                             .excerpt = b->words,
                             .rule = "bfc",
                             .dump = dump};
    od_sink_put(sink, &event);
    od_dump_done(dump);
}

static void build_one(struct od_bfc_pool *pool, const struct od_sink *sink)
{
    struct built b = {.pool = pool};
    put_bins(&b);
    for (size_t i = 0; i < pool->starts.n && !b.dump.has_header; i++)
        put_start(&b, &pool->starts.items[i]);
    put_lates(&b);
    put_sums(&b);
    put_ends(&b);
    size_t *begin = put_regions(&b);
    if (is_one_series(pool))
        steal_chunks(&b, pool);
    else
        sort_chunks(&b, begin);
    od_mem_free(begin);
    shift_lines(&b);
    emit(&b, sink);
}

/* Lines of dumps that were printed at once do not name theirs: only their starts are used. */
static void build_mixed(const struct od_bfc_pool *pool, const struct od_sink *sink)
{
    OD_FOR_EACH (const struct od_bfc_start, start, pool->starts) {
        struct built b = {.pool = pool, .dump.interleaved = true};
        put_start(&b, start);
        emit(&b, sink);
    }
}

void od_bfc_build(struct od_bfc_pool *pool, const struct od_sink *sink)
{
    bool several = pool->starts.n > 1 || pool->stats.n > 1 || pool->first_bins > 1;
    if (pool->nrecords > 0 && !od_bfc_pool_is_word(pool)) {
        if (pool->mixed && several)
            build_mixed(pool, sink);
        else
            build_one(pool, sink);
    }
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
