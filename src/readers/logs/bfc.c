/*
 * The BFC allocator's dumps (TensorFlow, JAX). There are two pools: `latest` takes the lines of the
 * latest dump as long as they are what a dump of this kind prints next; `pending` contains
 * unfinished dumps that started before it. If a line does not fit into latest, dumps are mixed, and
 * they are only separated at their end (bfc_plan.h). Most logs only use latest.
 */
#include "base/map.h"
#include "readers/logs/bfc_build.h"
#include "readers/logs/bfc_line.h"
#include "readers/logs/bfc_pool.h"
#include "readers/logs/bfc_streak.h"
#include "readers/reader.h"

#include "readers/logs/bfc_lists.inc"

enum {
    FOREIGN_LINES = 2000, /* foreign lines after which an unfinished dump is given up */
    LINGER_LINES = 64,    /* lines for which a dump that may be finished stays open */
    WORD_LINES = 1,       /* lines for which a "Stats:" without numbers stays open */
    DUMPS_AT_ONCE = 64,
    LAST_BIN = 268435456
};

struct bfc {
    struct od_bfc_store *store;
    struct od_bfc_pool pending, latest;
    struct od_bfc_pool *current; /* the pool that took the last record */
    uint64_t seq;
    unsigned foreign; /* lines since the last record */
};

static void bfc_begin(const struct od_reader *reader, void *state, void *shared,
                      struct od_arena *arena)
{
    struct od_bfc_store *store = shared;
    (void)reader;
    if (!store->arena)
        store->chunks_left = OD_BFC_CHUNK_LIMIT;
    store->arena = arena;
    ((struct bfc *)state)->store = store;
}

static void bfc_release(void *state)
{
    struct bfc *bfc = state;
    od_bfc_pool_done(&bfc->pending);
    od_bfc_pool_done(&bfc->latest);
}

static void bfc_release_shared(void *shared)
{
    struct od_bfc_store *store = shared;
    od_map_done(&store->texts);
    od_vec_done(&store->views);
}

static bool bfc_is_open(const void *state)
{
    const struct bfc *bfc = state;
    return !od_bfc_pool_is_empty(&bfc->pending) || !od_bfc_pool_is_empty(&bfc->latest);
}

static void bfc_end(void *state, const struct od_sink *sink)
{
    struct bfc *bfc = state;
    od_bfc_build(&bfc->pending, sink);
    od_bfc_build(&bfc->latest, sink);
    bfc->current = NULL;
}

static void mix(struct bfc *bfc)
{
    if (od_bfc_pool_is_empty(&bfc->latest))
        return;
    od_bfc_pool_merge(&bfc->pending, &bfc->latest);
    bfc->pending.mixed = true;
}

/* ---- which record fits ---- */

/* The kinds of line that may directly precede each kind, in a dump that is not mixed with
 * others. */
static bool follows(enum od_bfc_kind kind, enum od_bfc_kind last)
{
#define AFTER(kind) (1U << (kind))
    static const unsigned before[OD_BFC_LATE + 1] = {
        [OD_BFC_BIN] = AFTER(OD_BFC_HEADER) | AFTER(OD_BFC_NAME) | AFTER(OD_BFC_BIN),
        [OD_BFC_BIN_FOR] = AFTER(OD_BFC_BIN),
        [OD_BFC_STATE] = AFTER(OD_BFC_BIN_FOR) | AFTER(OD_BFC_STATE),
        [OD_BFC_REGION] = AFTER(OD_BFC_BIN_FOR) | AFTER(OD_BFC_STATE) | AFTER(OD_BFC_CHUNK),
        [OD_BFC_CHUNK] = AFTER(OD_BFC_BIN_FOR) | AFTER(OD_BFC_STATE) | AFTER(OD_BFC_REGION) |
                         AFTER(OD_BFC_CHUNK),
        [OD_BFC_SUMMARY] = AFTER(OD_BFC_BIN_FOR) | AFTER(OD_BFC_STATE) | AFTER(OD_BFC_CHUNK),
        [OD_BFC_ROW] = AFTER(OD_BFC_SUMMARY) | AFTER(OD_BFC_ROW),
        [OD_BFC_TOTAL] = AFTER(OD_BFC_SUMMARY) | AFTER(OD_BFC_ROW),
        [OD_BFC_POOL] = AFTER(OD_BFC_TOTAL) | AFTER(OD_BFC_POOL),
        [OD_BFC_STATS] = AFTER(OD_BFC_TOTAL) | AFTER(OD_BFC_POOL),
        [OD_BFC_OCCUPANCY] = AFTER(OD_BFC_STATS) | AFTER(OD_BFC_STAT),
    };
    return before[kind] & AFTER(last);
#undef AFTER
}

/* Does the pool have a region whose last line announced another chunk? */
static bool is_in_region(const struct od_bfc_pool *pool)
{
    for (size_t i = 0; i < pool->nopen; i++)
        if (pool->chains.items[pool->open[i]].says_next)
            return true;
    return false;
}

static bool chunk_fits(struct bfc *bfc, uint64_t address)
{
    struct od_bfc_pool *latest = &bfc->latest;
    if (od_bfc_pool_expects(latest, address))
        return true;
    if (od_bfc_pool_expects(&bfc->pending, address))
        return false;
    return latest->regions.n == 0 || (latest->newest == OD_BFC_REGION && !is_in_region(latest));
}

/* Is the record certainly the next one of latest? Used while other dumps are unfinished. */
static bool fits_strictly(struct bfc *bfc, const struct od_bfc_record *record)
{
    const struct od_bfc_pool *latest = &bfc->latest;
    if (!follows(record->kind, latest->newest))
        return false;
    if (record->kind == OD_BFC_CHUNK)
        return chunk_fits(bfc, record->as.chunk.chunk.address);
    if (record->kind == OD_BFC_BIN && latest->bins.n > 0)
        return record->as.bin.min_bytes == 2 * latest->bins.items[latest->bins.n - 1].row.min_bytes;
    if (record->kind == OD_BFC_BIN_FOR)
        return latest->bins.items[latest->bins.n - 1].row.min_bytes == LAST_BIN;
    if (record->kind == OD_BFC_ROW && latest->rows.n > 0)
        return record->as.row.bytes > latest->rows.items[latest->rows.n - 1].row.bytes;
    if (record->kind == OD_BFC_REGION || record->kind == OD_BFC_SUMMARY)
        return !is_in_region(latest);
    return true;
}

/* Does the record continue a dump that is not mixed? Lines may be missing. */
static bool fits_alone(const struct od_bfc_pool *latest, const struct od_bfc_record *record)
{
    enum od_bfc_kind kind = record->kind == OD_BFC_REGION ? OD_BFC_CHUNK : record->kind;
    enum od_bfc_kind newest = latest->newest == OD_BFC_REGION ? OD_BFC_CHUNK : latest->newest;
    if (kind != newest)
        return kind > newest;
    if (kind == OD_BFC_BIN)
        return record->as.bin.min_bytes > latest->bins.items[latest->bins.n - 1].row.min_bytes;
    if (kind == OD_BFC_ROW) /* one dump has one row of a size; a copied log may be sorted */
        return record->as.row.bytes != latest->rows.items[latest->rows.n - 1].row.bytes;
    return kind == OD_BFC_CHUNK || kind == OD_BFC_STATE || kind == OD_BFC_POOL;
}

/* Is it a chunk of an unfinished region of an interrupted dump? */
static bool goes_on(struct od_bfc_pool *pool, const struct od_bfc_record *record)
{
    return record->kind == OD_BFC_CHUNK &&
           od_bfc_pool_expects(pool, record->as.chunk.chunk.address);
}

/* ---- records ---- */

static bool begins_dump(struct bfc *bfc, const struct od_bfc_record *record)
{
    if (record->kind == OD_BFC_NAME)
        return !od_bfc_pool_unnamed(&bfc->latest, record->as.name) &&
               !od_bfc_pool_unnamed(&bfc->pending, record->as.name);
    if (record->kind == OD_BFC_BIN)
        return record->as.bin.min_bytes == 256 && !od_bfc_pool_awaits_bins(&bfc->latest) &&
               !od_bfc_pool_awaits_bins(&bfc->pending);
    return record->kind == OD_BFC_HEADER;
}

static bool is_ended(const struct od_bfc_pool *pool)
{
    return !pool->mixed && (pool->newest == OD_BFC_OCCUPANCY || pool->newest == OD_BFC_LATE);
}

static bool is_full(const struct od_bfc_pool *pool)
{
    return pool->starts.n >= DUMPS_AT_ONCE || pool->stats.n >= DUMPS_AT_ONCE ||
           pool->occupancies.n >= DUMPS_AT_ONCE || pool->totals.n >= DUMPS_AT_ONCE ||
           pool->pools.n >= DUMPS_AT_ONCE || pool->bin_fors.n >= DUMPS_AT_ONCE ||
           pool->lates.n >= DUMPS_AT_ONCE || pool->first_bins >= DUMPS_AT_ONCE ||
           pool->summaries.n >= DUMPS_AT_ONCE;
}

/* The pool for a record. */
static struct od_bfc_pool *choose(struct bfc *bfc, const struct od_bfc_record *record,
                                  const struct od_sink *sink)
{
    struct od_bfc_pool *pending = &bfc->pending, *latest = &bfc->latest;
    if (begins_dump(bfc, record)) {
        if (is_ended(latest))
            od_bfc_build(latest, sink);
        mix(bfc);
        if (is_full(pending))
            od_bfc_build(pending, sink);
        return latest;
    }
    if (!od_bfc_pool_is_empty(pending)) {
        if (!od_bfc_pool_is_empty(latest) && fits_strictly(bfc, record))
            return latest;
        mix(bfc);
        return pending;
    }
    if (od_bfc_pool_is_empty(latest) || latest->mixed || fits_alone(latest, record))
        return latest;
    if (goes_on(latest, record))
        latest->mixed = true;
    else
        od_bfc_build(latest, sink);
    return latest;
}

/* Emits the dumps that the last line completed. */
static void settle(struct bfc *bfc, const struct od_sink *sink)
{
    struct od_bfc_pool *pool = bfc->current;
    if (pool->mixed) {
        if (is_full(pool) ||
            (od_bfc_pool_is_complete(pool) && pool->occupancies.n >= pool->stats.n))
            od_bfc_build(pool, sink);
        return;
    }
    bool has_header = pool->starts.n > 0 && pool->starts.items[0].is_header;
    if (pool->newest == OD_BFC_LATE || (pool->newest == OD_BFC_OCCUPANCY && has_header)) {
        if (od_bfc_pool_is_empty(&bfc->pending) || od_bfc_build_adds_up(pool))
            od_bfc_build(pool, sink);
        else
            mix(bfc);
    }
}

static void take(struct bfc *bfc, const struct od_bfc_record *record, const struct od_line *line,
                 const struct od_sink *sink)
{
    struct od_bfc_pool *pool = choose(bfc, record, sink);
    if (pool == &bfc->pending)
        pool->mixed = true;
    bfc->foreign = 0;
    bfc->current = pool;
    od_bfc_pool_add(pool, bfc->store, record, line, ++bfc->seq);
    settle(bfc, sink);
}

/* Takes a number of Stats, which must directly follow because it has no unique word. */
static bool take_stat(struct bfc *bfc, const struct od_bfc_record *record,
                      const struct od_line *line)
{
    struct od_bfc_pool *pool = bfc->current;
    if (!pool || (pool->newest != OD_BFC_STATS && pool->newest != OD_BFC_STAT))
        return false;
    bfc->foreign = 0;
    od_bfc_pool_add(pool, bfc->store, record, line, ++bfc->seq);
    return true;
}

/* Takes the request of a TF 0.x dump, which is printed at its end. */
static void take_late(struct bfc *bfc, const struct od_bfc_record *record,
                      const struct od_line *line, const struct od_sink *sink)
{
    struct od_bfc_pool *pool = &bfc->latest;
    if (od_bfc_pool_is_empty(pool))
        pool = &bfc->pending;
    if (od_bfc_pool_is_empty(pool) || pool->newest < OD_BFC_STATS)
        return;
    bfc->foreign = 0;
    bfc->current = pool;
    od_bfc_pool_add(pool, bfc->store, record, line, ++bfc->seq);
    settle(bfc, sink);
}

/* Can a dump without its head start with that line? Otherwise a dump must be open. */
static bool needs_open(const struct od_bfc_record *record)
{
    return record->kind == OD_BFC_HINT || record->kind == OD_BFC_OCCUPANCY;
}

static bool occupancy_is_due(const struct bfc *bfc, const struct od_bfc_record *record)
{
    if (record->signed_line)
        return true;
    const struct od_bfc_pool *pool = bfc->current;
    if (!pool || pool->newest < OD_BFC_TOTAL)
        return false;
    struct od_view cells = record->as.occupancy;
    return od_view_find_char(cells, '*', 0) != OD_VIEW_NONE ||
           od_view_find_char(cells, 'x', 0) != OD_VIEW_NONE || od_bfc_pool_is_unused(pool);
}

static void wait_for(struct bfc *bfc, const struct od_sink *sink)
{
    if (!bfc_is_open(bfc))
        return;
    bfc->foreign++;
    const struct od_bfc_pool *latest = &bfc->latest;
    bool may_be_finished =
        od_bfc_pool_is_empty(&bfc->pending)
            ? od_bfc_pool_is_complete(latest) || is_ended(latest)
            : od_bfc_pool_is_empty(latest) && od_bfc_pool_is_complete(&bfc->pending);
    bool is_word = od_bfc_pool_is_empty(&bfc->pending) && od_bfc_pool_is_word(latest);
    if (bfc->foreign > FOREIGN_LINES || (may_be_finished && bfc->foreign > LINGER_LINES) ||
        (is_word && bfc->foreign > WORD_LINES))
        bfc_end(bfc, sink);
}

static enum od_take read_record(struct bfc *bfc, const struct od_bfc_record *record,
                                const struct od_line *line, const struct od_sink *sink)
{
    if (record->kind == OD_BFC_STAT)
        return take_stat(bfc, record, line) ? OD_TAKE_ALL : OD_TAKE_NONE;
    if (record->kind == OD_BFC_LATE) {
        take_late(bfc, record, line, sink);
        return OD_TAKE_SHARE;
    }
    if (needs_open(record) && (!bfc_is_open(bfc)))
        return record->signed_line ? OD_TAKE_ALL : OD_TAKE_NONE;
    if (record->kind == OD_BFC_HINT)
        return OD_TAKE_ALL;
    if (record->kind == OD_BFC_OCCUPANCY && !occupancy_is_due(bfc, record))
        return OD_TAKE_NONE;
    take(bfc, record, line, sink);
    return record->kind == OD_BFC_HEADER ? OD_TAKE_SHARE : OD_TAKE_ALL;
}

static enum od_take bfc_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct bfc *bfc = state;
    struct od_bfc_record record;
    enum od_take taken = OD_TAKE_NONE;
    od_bfc_line_read(line->text, &record);
    if (record.kind == OD_BFC_NONE)
        wait_for(bfc, sink);
    else
        taken = read_record(bfc, &record, line, sink);
    if (!bfc_is_open(bfc))
        bfc->current = NULL;
    return taken;
}

static struct od_streak_taken bfc_streak(void *state, const struct od_streak *streak,
                                         const struct od_sink *sink)
{
    struct bfc *bfc = state;
    struct od_streak_taken taken = {0};
    struct od_line line = *streak->line;
    struct od_bfc_record record;
    struct od_bfc_front front;
    if (!od_bfc_front_init(&front, streak->sample))
        return taken;
    for (;;) {
        struct od_view rest = od_view_from(streak->rest, taken.bytes);
        size_t n = od_bfc_front_next(&front, rest, &record);
        if (n == 0)
            return taken;
        line.at.line++;
        line.at.offset = streak->offset + taken.bytes;
        take(bfc, &record, &line, sink);
        if (!bfc_is_open(bfc))
            bfc->current = NULL;
        taken.lines++;
        taken.bytes += n;
    }
}

const struct od_reader od_reader_bfc = {.name = "bfc",
                                        .literals = literals,
                                        .state_size = sizeof(struct bfc),
                                        .shared_size = sizeof(struct od_bfc_store),
                                        .begin = bfc_begin,
                                        .line = bfc_line,
                                        .streak = bfc_streak,
                                        .is_open = bfc_is_open,
                                        .end = bfc_end,
                                        .release = bfc_release,
                                        .release_shared = bfc_release_shared};
