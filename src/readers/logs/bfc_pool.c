#include "readers/logs/bfc_pool.h"

enum { SMALLEST_BIN = 256, WORDS_KEPT = 240 };

void od_bfc_pool_done(struct od_bfc_pool *pool)
{
    od_vec_done(&pool->starts);
    od_vec_done(&pool->chunks);
    od_vec_done(&pool->details);
    od_vec_done(&pool->runs);
    od_vec_done(&pool->chains);
    od_vec_done(&pool->regions);
    od_vec_done(&pool->bins);
    od_vec_done(&pool->bin_fors);
    od_vec_done(&pool->summaries);
    od_vec_done(&pool->rows);
    od_vec_done(&pool->totals);
    od_vec_done(&pool->pools);
    od_vec_done(&pool->stats);
    od_vec_done(&pool->occupancies);
    od_vec_done(&pool->lates);
}

void od_bfc_pool_clear(struct od_bfc_pool *pool)
{
    od_bfc_pool_done(pool);
    *pool = (struct od_bfc_pool){0};
}

/* ---- chains ---- */

struct od_bfc_chain *od_bfc_pool_expects(struct od_bfc_pool *pool, uint64_t address)
{
    struct od_bfc_chain *best = NULL;
    for (size_t i = 0; i < pool->nopen; i++) {
        struct od_bfc_chain *chain = &pool->chains.items[pool->open[i]];
        if (chain->next == address && (!best || chain->last.seq > best->last.seq))
            best = chain;
    }
    return best;
}

static void close_chain(struct od_bfc_pool *pool, size_t chain)
{
    for (size_t i = 0; i < pool->nopen; i++)
        if (pool->open[i] == chain) {
            memmove(&pool->open[i], &pool->open[i + 1],
                    (pool->nopen - i - 1) * sizeof pool->open[0]);
            pool->nopen--;
            return;
        }
}

static size_t open_chain(struct od_bfc_pool *pool, uint64_t address,
                         struct od_bfc_position position)
{
    size_t index = pool->chains.n;
    struct od_bfc_chain chain = {.first = position, .address = address, .next = address};
    od_vec_push(&pool->chains, chain);
    if (pool->nopen == OD_BFC_OPEN_CHAINS)
        close_chain(pool, pool->open[0]);
    pool->open[pool->nopen++] = index;
    return index;
}

static void count_run(struct od_bfc_pool *pool, size_t chain)
{
    struct od_bfc_run *last = pool->runs.n ? &pool->runs.items[pool->runs.n - 1] : NULL;
    if (last && last->chain == chain) {
        last->n++;
        return;
    }
    struct od_bfc_run run = {.first = pool->chunks.n, .n = 1, .chain = chain};
    od_vec_push(&pool->runs, run);
}

/* A number that overflows ends the chain, whose sum stays at the last valid value. */
static void grow_chain(struct od_bfc_chain *chain, const struct od_chunk *chunk)
{
    uint64_t sum;
    chain->says_next = chunk->next != OD_HANDLE_UNKNOWN;
    chain->ended =
        chunk->next == OD_HANDLE_END || ckd_add(&chain->next, chunk->address, chunk->bytes);
    if (!ckd_add(&sum, chain->bytes, chunk->bytes))
        chain->bytes = sum;
    if (chunk->in_use && !ckd_add(&sum, chain->in_use, chunk->bytes))
        chain->in_use = sum;
}

/* ---- texts ---- */

static struct od_view keep(struct od_bfc_store *store, struct od_view text)
{
    if (text.n == 0)
        return (struct od_view){0};
    uint64_t *index = od_map_at(&store->texts, text);
    if (*index == 0) {
        struct od_view copy = od_arena_view(store->arena, text);
        od_vec_push(&store->views, copy);
        *index = store->views.n;
    }
    return store->views.items[*index - 1];
}

static uint32_t keep_details(struct od_bfc_pool *pool, struct od_bfc_store *store,
                             const struct od_bfc_chunk *from)
{
    if (!from->has_details || pool->details.n >= UINT32_MAX - 1)
        return 0;
    struct od_chunk_details details = from->details;
    details.op = keep(store, details.op);
    details.tag = keep(store, details.tag);
    details.annotation = keep(store, details.annotation);
    od_vec_push(&pool->details, details);
    return (uint32_t)pool->details.n;
}

/* ---- records ---- */

static uint32_t line_in(const struct od_bfc_pool *pool, uint64_t line)
{
    uint64_t relative = line > pool->at.line ? line - pool->at.line : 0;
    return relative < UINT32_MAX ? (uint32_t)relative : UINT32_MAX;
}

static void add_chunk(struct od_bfc_pool *pool, struct od_bfc_store *store,
                      const struct od_bfc_chunk *from, struct od_bfc_position position)
{
    struct od_bfc_chain *chain = od_bfc_pool_expects(pool, from->chunk.address);
    size_t index = chain ? (size_t)(chain - pool->chains.items)
                         : open_chain(pool, from->chunk.address, position);
    chain = &pool->chains.items[index];
    chain->last = position;
    chain->nchunks++;
    grow_chain(chain, &from->chunk);
    if (store->chunks_left > 0) {
        store->chunks_left--;
        count_run(pool, index);
        struct od_chunk chunk = from->chunk;
        chunk.line = line_in(pool, position.line);
        chunk.details = keep_details(pool, store, from);
        od_vec_push(&pool->chunks, chunk);
    } else {
        chain->lost++;
    }
    if (chain->ended)
        close_chain(pool, index);
}

static struct od_bfc_start start_of(struct od_bfc_store *store, const struct od_bfc_header *h,
                                    const struct od_line *line, struct od_bfc_position position)
{
    struct od_view stamp = h->stamp.n > 0 ? h->stamp : line->stamp;
    return (struct od_bfc_start){
        .position = position,
        .nlines = line->at.nlines,
        .is_header = true,
        .allocator = keep(store, h->allocator),
        .op = keep(store, h->op),
        .stamp = od_arena_view(store->arena, stamp),
        .words = od_arena_view(store->arena, od_view_head(h->words, WORDS_KEPT)),
        .requested = h->requested,
        .rounded = h->rounded,
    };
}

struct od_bfc_start *od_bfc_pool_unnamed(struct od_bfc_pool *pool, struct od_view allocator)
{
    OD_FOR_EACH (struct od_bfc_start, start, pool->starts)
        if (start->is_header && !start->named && od_view_eq(start->allocator, allocator))
            return start;
    return NULL;
}

bool od_bfc_pool_awaits_bins(const struct od_bfc_pool *pool)
{
    return pool->starts.n > pool->first_bins;
}

static void add_name(struct od_bfc_pool *pool, struct od_bfc_store *store, struct od_view name,
                     struct od_bfc_position position)
{
    struct od_bfc_start *header = od_bfc_pool_unnamed(pool, name);
    if (header) {
        header->named = true;
        return;
    }
    struct od_bfc_start start = {
        .position = position, .allocator = keep(store, name), .named = true};
    od_vec_push(&pool->starts, start);
}

static void add_bin(struct od_bfc_pool *pool, const struct od_bin_row *row,
                    struct od_bfc_position position)
{
    struct od_bfc_bin_item item = {position, *row};
    item.row.line = position.line;
    od_vec_push(&pool->bins, item);
    if (row->min_bytes != SMALLEST_BIN)
        return;
    pool->first_bins++;
    if (pool->first_bins > pool->starts.n) {
        struct od_bfc_start start = {.position = position};
        od_vec_push(&pool->starts, start);
    }
}

/* Adds a number after "Stats:", each name once. */
static void add_stat(struct od_bfc_pool *pool, const struct od_bfc_record *record,
                     struct od_bfc_position position)
{
    if (pool->stats.n == 0)
        return;
    struct od_bfc_stats_item *item = &pool->stats.items[pool->stats.n - 1];
    struct od_count *member = od_bfc_stat_of(&item->stats, record->as.stat.name);
    if (member->known)
        return;
    *member = od_count_of(record->as.stat.value);
    item->stats.rounded |= record->as.stat.rounded;
    item->last_line = position.line;
    if (item->stats.line == 0)
        item->stats.line = position.line;
}

static void add_sums(struct od_bfc_pool *pool, const struct od_bfc_record *record,
                     struct od_bfc_position position)
{
    if (record->kind == OD_BFC_SUMMARY) {
        od_vec_push(&pool->summaries, position);
    } else if (record->kind == OD_BFC_ROW) {
        struct od_bfc_row_item item = {position, record->as.row};
        item.row.line = position.line;
        od_vec_push(&pool->rows, item);
    } else if (record->kind == OD_BFC_TOTAL) {
        struct od_bfc_bytes_item item = {position, record->as.bytes};
        od_vec_push(&pool->totals, item);
    } else if (record->kind == OD_BFC_POOL && record->as.pool.pool.known) {
        struct od_bfc_pool_item item = {position, record->as.pool};
        od_vec_push(&pool->pools, item);
    } else if (record->kind == OD_BFC_STATS) {
        struct od_bfc_stats_item item = {.position = position, .last_line = position.line};
        od_vec_push(&pool->stats, item);
    } else if (record->kind == OD_BFC_STAT) {
        add_stat(pool, record, position);
    }
}

static void add_text(struct od_bfc_pool *pool, struct od_bfc_store *store, struct od_view text,
                     struct od_bfc_position position)
{
    struct od_bfc_text_item item = {position, od_arena_view(store->arena, text)};
    od_vec_push(&pool->occupancies, item);
}

static void add_bytes(struct od_bfc_pool *pool, const struct od_bfc_record *record,
                      struct od_bfc_position position)
{
    struct od_bfc_bytes_item item = {position, record->as.bytes};
    if (record->kind == OD_BFC_BIN_FOR) {
        od_vec_push(&pool->bin_fors, item);
        return;
    }
    item.bytes = od_bytes_exact(record->as.region);
    od_vec_push(&pool->regions, item);
}

static void note_place(struct od_bfc_pool *pool, const struct od_bfc_record *record,
                       const struct od_line *line, uint64_t seq)
{
    if (od_bfc_pool_is_empty(pool)) {
        pool->at = line->at;
        pool->lane = line->lane;
        pool->place = line->place;
    }
    uint64_t tail = line->at.nlines > 0 ? line->at.nlines - 1 : 0;
    pool->last = (struct od_bfc_position){line->at.line + tail, line->at.offset, seq};
    if (record->kind != OD_BFC_HINT)
        pool->newest = record->kind;
    if (record->kind != OD_BFC_HINT && record->kind != OD_BFC_HEADER)
        pool->nrecords++;
}

void od_bfc_pool_add(struct od_bfc_pool *pool, struct od_bfc_store *store,
                     const struct od_bfc_record *record, const struct od_line *line, uint64_t seq)
{
    note_place(pool, record, line, seq);
    struct od_bfc_position position = {line->at.line, line->at.offset, seq};
    if (record->kind == OD_BFC_CHUNK)
        add_chunk(pool, store, &record->as.chunk, position);
    else if (record->kind == OD_BFC_HEADER || record->kind == OD_BFC_LATE) {
        struct od_bfc_start start = start_of(store, &record->as.header, line, position);
        if (record->kind == OD_BFC_HEADER)
            od_vec_push(&pool->starts, start);
        else
            od_vec_push(&pool->lates, start);
    } else if (record->kind == OD_BFC_NAME)
        add_name(pool, store, record->as.name, position);
    else if (record->kind == OD_BFC_BIN)
        add_bin(pool, &record->as.bin, position);
    else if (record->kind == OD_BFC_BIN_FOR || record->kind == OD_BFC_REGION)
        add_bytes(pool, record, position);
    else if (record->kind == OD_BFC_OCCUPANCY)
        add_text(pool, store, record->as.occupancy, position);
    else
        add_sums(pool, record, position);
}

bool od_bfc_pool_is_complete(const struct od_bfc_pool *pool)
{
    if (pool->bins.n == 0 && pool->chains.n == 0 && pool->stats.n == 0)
        return pool->occupancies.n >= pool->starts.n;
    size_t dumps = pool->first_bins > 0 ? pool->first_bins : pool->starts.n;
    if (pool->summaries.n > dumps)
        dumps = pool->summaries.n;
    if (pool->stats.n < dumps || pool->stats.n == 0)
        return false;
    for (size_t i = 0; i < pool->nopen; i++)
        if (pool->chains.items[pool->open[i]].says_next)
            return false;
    return true;
}

bool od_bfc_pool_is_unused(const struct od_bfc_pool *pool)
{
    if (pool->stats.n == 0)
        return false;
    struct od_count in_use = pool->stats.items[pool->stats.n - 1].stats.in_use;
    return in_use.known && in_use.n == 0;
}

bool od_bfc_pool_is_word(const struct od_bfc_pool *pool)
{
    size_t others = pool->starts.n + pool->chains.n + pool->bins.n + pool->bin_fors.n +
                    pool->regions.n + pool->summaries.n + pool->rows.n + pool->totals.n +
                    pool->pools.n + pool->occupancies.n;
    if (pool->stats.n != 1 || others > 0)
        return false;
    const struct od_allocator_stats *stats = &pool->stats.items[0].stats;
    return !stats->limit.known || !stats->in_use.known;
}

/* ---- merging ---- */

#define APPEND(to, from)                          \
    do {                                          \
        for (size_t i_ = 0; i_ < (from)->n; i_++) \
            od_vec_push((to), (from)->items[i_]); \
        od_vec_done(from);                        \
    } while (0)

static void shift_younger(const struct od_bfc_pool *pending, struct od_bfc_pool *latest)
{
    uint32_t lines = line_in(pending, latest->at.line);
    OD_FOR_EACH (struct od_chunk, chunk, latest->chunks) {
        if (ckd_add(&chunk->line, chunk->line, lines))
            chunk->line = UINT32_MAX;
        if (chunk->details > 0)
            chunk->details += (uint32_t)pending->details.n;
    }
    for (size_t i = 0; i < latest->runs.n; i++) {
        latest->runs.items[i].first += pending->chunks.n;
        latest->runs.items[i].chain += pending->chains.n;
    }
}

static void merge_open(struct od_bfc_pool *pending, const struct od_bfc_pool *latest, size_t shift)
{
    for (size_t i = 0; i < latest->nopen; i++) {
        if (pending->nopen == OD_BFC_OPEN_CHAINS)
            close_chain(pending, pending->open[0]);
        pending->open[pending->nopen++] = latest->open[i] + shift;
    }
}

void od_bfc_pool_merge(struct od_bfc_pool *pending, struct od_bfc_pool *latest)
{
    if (od_bfc_pool_is_empty(pending)) {
        od_bfc_pool_done(pending);
        *pending = *latest;
        *latest = (struct od_bfc_pool){0};
        return;
    }
    size_t shift = pending->chains.n;
    shift_younger(pending, latest);
    merge_open(pending, latest, shift);
    APPEND(&pending->starts, &latest->starts);
    APPEND(&pending->chunks, &latest->chunks);
    APPEND(&pending->details, &latest->details);
    APPEND(&pending->runs, &latest->runs);
    APPEND(&pending->chains, &latest->chains);
    APPEND(&pending->regions, &latest->regions);
    APPEND(&pending->bins, &latest->bins);
    APPEND(&pending->bin_fors, &latest->bin_fors);
    APPEND(&pending->summaries, &latest->summaries);
    APPEND(&pending->rows, &latest->rows);
    APPEND(&pending->totals, &latest->totals);
    APPEND(&pending->pools, &latest->pools);
    APPEND(&pending->stats, &latest->stats);
    APPEND(&pending->occupancies, &latest->occupancies);
    APPEND(&pending->lates, &latest->lates);
    pending->newest = latest->newest;
    pending->last = latest->last;
    pending->nrecords += latest->nrecords;
    pending->first_bins += latest->first_bins;
    *latest = (struct od_bfc_pool){0};
}
