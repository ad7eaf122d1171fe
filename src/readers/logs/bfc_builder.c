#include "readers/logs/bfc_builder.h"

enum { SMALLEST_BIN = 256, WORDS_KEPT = 240 };

void od_bfc_builder_clear(struct od_bfc_builder *b)
{
    od_dump_done(&b->dump);
    od_vec_done(&b->starts);
    *b = (struct od_bfc_builder){0};
}

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

static uint32_t keep_details(struct od_dump *dump, struct od_bfc_store *store,
                             const struct od_bfc_chunk *from)
{
    if (!from->has_details || dump->details.n >= UINT32_MAX - 1)
        return 0;
    struct od_chunk_details details = from->details;
    details.op = keep(store, details.op);
    details.tag = keep(store, details.tag);
    details.annotation = keep(store, details.annotation);
    od_vec_push(&dump->details, details);
    return (uint32_t)dump->details.n;
}

/* Drops an announced size below the sum of the chunks: it is of another region. */
static void finish_region(struct od_bfc_builder *b)
{
    struct od_dump *dump = &b->dump;
    if (dump->regions.n == 0)
        return;
    struct od_region *region = &dump->regions.items[dump->regions.n - 1];
    if (!region->announced.known)
        return;
    region->ended = region->ended || region->announced.n == b->bytes;
    if (region->announced.n >= b->bytes)
        return;
    region->announced = (struct od_bytes){0};
    if (region->nchunks > 0)
        region->line = dump->at.line + dump->chunks.items[region->first_chunk].line;
}

static struct od_region *region_at(struct od_bfc_builder *b, uint64_t address, uint64_t line)
{
    struct od_dump *dump = &b->dump;
    struct od_region *last = dump->regions.n ? &dump->regions.items[dump->regions.n - 1] : NULL;
    if (last && !last->ended && b->next == address)
        return last;
    finish_region(b);
    struct od_region region = {.address = address,
                               .first_chunk = dump->chunks.n,
                               .announced = b->announced,
                               .line = b->announced.known ? b->announced_line : line};
    od_vec_push(&dump->regions, region);
    b->announced = (struct od_bytes){0};
    b->bytes = 0;
    return &dump->regions.items[dump->regions.n - 1];
}

static uint32_t line_in(const struct od_dump *dump, uint64_t line)
{
    uint64_t relative = line > dump->at.line ? line - dump->at.line : 0;
    return relative < UINT32_MAX ? (uint32_t)relative : UINT32_MAX;
}

/* A number that overflows ends the region, whose sum stays at the last valid value. */
static void add_chunk(struct od_bfc_builder *b, struct od_bfc_store *store,
                      const struct od_bfc_chunk *from, uint64_t line)
{
    struct od_dump *dump = &b->dump;
    struct od_chunk chunk = from->chunk;
    struct od_region *region = region_at(b, chunk.address, line);
    uint64_t sum;
    b->says_next = chunk.next != OD_HANDLE_UNKNOWN && chunk.next != OD_HANDLE_END;
    region->ended = chunk.next == OD_HANDLE_END || ckd_add(&b->next, chunk.address, chunk.bytes);
    if (!ckd_add(&sum, b->bytes, chunk.bytes))
        b->bytes = sum;
    if (chunk.in_use && !ckd_add(&sum, b->in_use, chunk.bytes))
        b->in_use = sum;
    if (store->chunks_left == 0) {
        dump->chunk_limit_hit = true;
        dump->chunks_lost++;
        return;
    }
    store->chunks_left--;
    region->nchunks++;
    chunk.line = line_in(dump, line);
    chunk.details = keep_details(dump, store, from);
    od_vec_push(&dump->chunks, chunk);
}

static struct od_bfc_start start_of(struct od_bfc_store *store, const struct od_bfc_header *h,
                                    const struct od_line *line)
{
    return (struct od_bfc_start){
        .line = line->at.line,
        .offset = line->at.offset,
        .nlines = line->at.nlines,
        .is_header = true,
        .allocator = keep(store, h->allocator),
        .op = keep(store, h->op),
        .stamp = od_arena_view(store->arena, line->stamp),
        .words = od_arena_view(store->arena, od_view_head(h->words, WORDS_KEPT)),
        .requested = h->requested,
        .rounded = h->rounded,
    };
}

struct od_bfc_start *od_bfc_builder_unnamed(struct od_bfc_builder *b, struct od_view allocator)
{
    OD_FOR_EACH (struct od_bfc_start, start, b->starts)
        if (start->is_header && !start->named && od_view_eq(start->allocator, allocator))
            return start;
    return NULL;
}

bool od_bfc_builder_awaits_bins(const struct od_bfc_builder *b)
{
    return b->starts.n > b->first_bins;
}

/* Adds a start without a header, from a name line or a dump's first bin. */
static void add_start(struct od_bfc_builder *b, struct od_view name, const struct od_line *line)
{
    struct od_bfc_start start = {.line = line->at.line,
                                 .offset = line->at.offset,
                                 .nlines = line->at.nlines,
                                 .allocator = name,
                                 .named = name.n > 0};
    od_vec_push(&b->starts, start);
}

static void add_head(struct od_bfc_builder *b, struct od_bfc_store *store,
                     const struct od_bfc_record *record, const struct od_line *line)
{
    struct od_bfc_start *header = NULL;
    if (record->kind == OD_BFC_HEADER) {
        struct od_bfc_start start = start_of(store, &record->as.header, line);
        od_vec_push(&b->starts, start);
    } else if (record->kind == OD_BFC_NAME) {
        header = od_bfc_builder_unnamed(b, record->as.name);
        if (header)
            header->named = true;
        else
            add_start(b, keep(store, record->as.name), line);
    } else if (record->kind == OD_BFC_BIN && record->as.bin.min_bytes == SMALLEST_BIN) {
        if (++b->first_bins > b->starts.n)
            add_start(b, (struct od_view){0}, line);
    }
}

/* Takes a number below "Stats:"; the first of each name counts. */
static void add_stat(struct od_dump *dump, const struct od_bfc_record *record, uint64_t line)
{
    void *stats = &dump->stats;
    struct od_count *member = (void *)((char *)stats + record->as.stat.member);
    if (member->known)
        return;
    *member = od_count_of(record->as.stat.value);
    dump->stats.rounded |= record->as.stat.rounded;
    if (dump->stats.line == 0)
        dump->stats.line = line;
}

static void add_sums(struct od_bfc_builder *b, const struct od_bfc_record *record, uint64_t line)
{
    struct od_dump *dump = &b->dump;
    if (record->kind == OD_BFC_ROW) {
        od_vec_push(&dump->summary, record->as.row);
        dump->summary.items[dump->summary.n - 1].line = line;
    } else if (record->kind == OD_BFC_TOTAL) {
        dump->sum_total = record->as.bytes;
        dump->sum_total_line = line;
    } else if (record->kind == OD_BFC_POOL && record->as.pool.pool.known && b->pools++ == 0) {
        dump->pool = record->as.pool.pool;
        dump->memory_limit = record->as.pool.limit;
        dump->available = record->as.pool.available;
        dump->pool_line = line;
    }
}

static void add_tables(struct od_bfc_builder *b, struct od_bfc_store *store,
                       const struct od_bfc_record *record, uint64_t line)
{
    struct od_dump *dump = &b->dump;
    if (record->kind == OD_BFC_BIN) {
        od_vec_push(&dump->bins, record->as.bin);
        dump->bins.items[dump->bins.n - 1].line = line;
    } else if (record->kind == OD_BFC_BIN_FOR) {
        dump->bin_for = record->as.bytes;
    } else if (record->kind == OD_BFC_REGION) {
        b->announced = od_bytes_exact(record->as.region);
        b->announced_line = line;
        b->announcements++;
    } else if (record->kind == OD_BFC_CHUNK) {
        add_chunk(b, store, &record->as.chunk, line);
    } else if (record->kind == OD_BFC_OCCUPANCY) {
        dump->occupancy = od_arena_view(store->arena, record->as.occupancy);
        dump->occupancy_line = line;
    } else {
        add_sums(b, record, line);
    }
}

static void count(struct od_bfc_builder *b, const struct od_bfc_record *record)
{
    enum od_bfc_kind kind = record->kind;
    b->newest = kind;
    b->has_body |= kind != OD_BFC_HEADER;
    b->more_than_stats |= kind != OD_BFC_STATS && kind != OD_BFC_STAT && kind != OD_BFC_STATE &&
                          kind != OD_BFC_LATE &&
                          (kind != OD_BFC_POOL || record->as.pool.pool.known);
    b->summaries += kind == OD_BFC_SUMMARY;
    b->occupancies += kind == OD_BFC_OCCUPANCY;
    if (kind == OD_BFC_STATS) {
        b->stats++;
        b->dump.stats = (struct od_allocator_stats){0};
    }
}

void od_bfc_builder_add(struct od_bfc_builder *b, struct od_bfc_store *store,
                        const struct od_bfc_record *record, const struct od_line *line)
{
    if (od_bfc_builder_is_empty(b)) {
        b->dump.at = line->at;
        b->dump.lane = line->lane;
        b->dump.place = line->place;
    }
    b->last = line->at.line + (line->at.nlines > 0 ? line->at.nlines - 1 : 0);
    count(b, record);
    add_head(b, store, record, line);
    if (record->kind == OD_BFC_STAT)
        add_stat(&b->dump, record, line->at.line);
    else if (record->kind == OD_BFC_LATE && !b->late.is_header)
        b->late = start_of(store, &record->as.header, line);
    else if (!b->mixed)
        add_tables(b, store, record, line->at.line);
}

/* ---- what the builder contains ---- */

bool od_bfc_builder_is_complete(const struct od_bfc_builder *b)
{
    const struct od_dump *dump = &b->dump;
    size_t dumps = b->starts.n + b->follows_cut;
    if (b->first_bins == 0 && dump->bins.n == 0 && dump->regions.n == 0 && b->stats == 0)
        return b->occupancies >= dumps;
    if (b->summaries > dumps)
        dumps = b->summaries;
    return b->stats > 0 && b->stats >= dumps && !b->says_next;
}

bool od_bfc_builder_is_word(const struct od_bfc_builder *b)
{
    const struct od_allocator_stats *stats = &b->dump.stats;
    return b->stats == 1 && !b->more_than_stats && (!stats->limit.known || !stats->in_use.known);
}

bool od_bfc_builder_is_clean(const struct od_bfc_builder *b)
{
    size_t most = b->announcements > 0 ? b->announcements : 1;
    return !b->mixed && b->dump.regions.n <= most && b->pools <= 1;
}

bool od_bfc_builder_adds_up(const struct od_bfc_builder *b)
{
    uint64_t rows = 0, row;
    OD_FOR_EACH (const struct od_summary_row, r, b->dump.summary)
        if (ckd_mul(&row, r->count, r->bytes) || ckd_add(&rows, rows, row))
            return false;
    return od_bfc_builder_is_clean(b) && rows == b->in_use &&
           od_stats_in_use_is(&b->dump.stats, b->in_use);
}

void od_bfc_builder_mix(struct od_bfc_builder *b)
{
    struct od_dump bare = {
        .at = b->dump.at, .lane = b->dump.lane, .place = b->dump.place, .stats = b->dump.stats};
    od_dump_done(&b->dump);
    b->dump = bare;
    b->says_next = false;
    b->mixed = true;
}

static void take_start(struct od_dump *dump, const struct od_bfc_start *start)
{
    dump->requested = start->requested;
    dump->stamp = start->stamp;
    dump->has_header = start->is_header;
    dump->allocator = start->allocator;
    dump->rounded = start->rounded;
    dump->op = start->op;
}

static void emit(struct od_dump *dump, uint64_t last, struct od_view words,
                 const struct od_sink *sink)
{
    uint64_t lines = last - dump->at.line + 1;
    dump->at.nlines = lines < UINT32_MAX ? (uint32_t)lines : UINT32_MAX;
    struct od_line line = {.text = words, .at = dump->at, .lane = dump->lane, .place = dump->place};
    struct od_event event = {.kind = OD_EV_DUMP,
                             .at = dump->at,
                             .line = &line,
                             .excerpt = words,
                             .rule = "bfc",
                             .dump = dump};
    od_sink_put(sink, &event);
}

static void emit_one(struct od_bfc_builder *b, const struct od_sink *sink)
{
    struct od_dump *dump = &b->dump;
    struct od_view words = {0};
    finish_region(b);
    const struct od_bfc_start *own = NULL; /* prefers the header with the dump's name */
    OD_FOR_EACH (const struct od_bfc_start, start, b->starts)
        if (!own || (start->is_header && !(own->is_header && own->named)))
            own = start;
    if (own) {
        take_start(dump, own);
        words = own->words;
    }
    if (b->late.is_header && !dump->requested.known) { /* dumps of TF 0.x start with bins */
        dump->requested = b->late.requested;
        dump->stamp = b->late.stamp;
        dump->has_header = dump->bins.n > 0 && dump->bins.items[0].free_only &&
                           dump->bins.items[0].min_bytes == SMALLEST_BIN;
        words = b->late.words;
    }
    dump->cut_tail = b->occupancies == 0;
    emit(dump, b->last, words, sink);
}

static void emit_starts(const struct od_bfc_builder *b, const struct od_sink *sink)
{
    OD_FOR_EACH (const struct od_bfc_start, start, b->starts) {
        struct od_dump dump = {
            .at = b->dump.at, .lane = b->dump.lane, .place = b->dump.place, .interleaved = true};
        dump.at.line = start->line;
        dump.at.offset = start->offset;
        take_start(&dump, start);
        emit(&dump, start->line + (start->nlines > 0 ? start->nlines - 1 : 0), start->words, sink);
    }
}

void od_bfc_builder_emit(struct od_bfc_builder *b, const struct od_sink *sink)
{
    if (b->has_body && b->mixed)
        emit_starts(b, sink);
    else if (b->has_body && !od_bfc_builder_is_word(b))
        emit_one(b, sink);
    od_bfc_builder_clear(b);
}
