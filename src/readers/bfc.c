/*
 * The BFC allocator's dumps (TensorFlow, JAX). Each lane has two pools: `young` takes the lines
 * of the dump that began last as long as they are what such a dump prints next; `older` holds
 * unfinished dumps that began before it. When a line does not fit young, both are mixed and only
 * the end sorts them out (bfc_plan.h). Most lanes only ever use young.
 */
#include "base/map.h"
#include "base/vec.h"
#include "readers/bfc_build.h"
#include "readers/bfc_line.h"
#include "readers/bfc_pool.h"
#include "readers/bfc_streak.h"
#include "readers/reader.h"

#include <string.h>

enum {
    FOREIGN_LINES = 2000, /* lines of others after which an unfinished dump is given up */
    LINGER_LINES = 64,    /* and one that may be finished */
    WORD_LINES = 1,       /* and a "Stats:" that no number follows */
    DUMPS_AT_ONCE = 64,
    LAST_BIN = 268435456
};

struct lane {
    uint32_t id;
    uint32_t source;
    struct od_bfc_pool older, young;
    struct od_bfc_pool *current; /* took the last record */
    uint64_t seq;
    unsigned foreign; /* lines since the last record */
    bool counted;     /* in bfc.nopen */
};

struct bfc {
    struct od_bfc_store store;
    OD_VEC(struct lane *) lanes;
    struct od_map by_id; /* lane number -> index + 1 into lanes */
    struct lane *last;
    size_t nopen; /* lanes in the middle of something */
};

static void bfc_begin(const struct od_reader *reader, void *state, struct od_arena *arena)
{
    struct bfc *bfc = state;
    (void)reader;
    bfc->store.arena = arena;
    bfc->store.chunks_left = OD_BFC_CHUNK_LIMIT;
}

static void bfc_release(void *state)
{
    struct bfc *bfc = state;
    for (size_t i = 0; i < bfc->lanes.n; i++) {
        od_bfc_pool_done(&bfc->lanes.items[i]->older);
        od_bfc_pool_done(&bfc->lanes.items[i]->young);
        od_mem_free(bfc->lanes.items[i]);
    }
    od_vec_done(&bfc->lanes);
    od_map_done(&bfc->by_id);
    od_map_done(&bfc->store.texts);
    od_vec_done(&bfc->store.views);
}

/* ---- lanes ---- */

static struct lane *lane_find(struct bfc *bfc, uint32_t id)
{
    if (bfc->last && bfc->last->id == id)
        return bfc->last;
    const uint64_t *index = od_map_get(&bfc->by_id, (struct od_view){(const char *)&id, sizeof id});
    if (!index)
        return NULL;
    bfc->last = bfc->lanes.items[*index - 1];
    return bfc->last;
}

static struct lane *lane_at(struct bfc *bfc, const struct od_line *line)
{
    struct lane *lane = lane_find(bfc, line->lane);
    if (!lane) {
        lane = od_mem_alloc(1, sizeof *lane);
        lane->id = line->lane;
        od_vec_push(&bfc->lanes, lane);
        *od_map_at(&bfc->by_id, (struct od_view){(const char *)&lane->id, sizeof lane->id}) =
            bfc->lanes.n;
        bfc->last = lane;
    }
    lane->source = line->at.source;
    return lane;
}

static bool lane_is_open(const struct lane *lane)
{
    return !od_bfc_pool_is_empty(&lane->older) || !od_bfc_pool_is_empty(&lane->young);
}

static void count_open(struct bfc *bfc, struct lane *lane)
{
    bool is_open = lane_is_open(lane);
    if (is_open && !lane->counted)
        bfc->nopen++;
    else if (!is_open && lane->counted)
        bfc->nopen--;
    lane->counted = is_open;
    if (!is_open)
        lane->current = NULL;
}

static void lane_close(struct lane *lane, const struct od_sink *sink)
{
    od_bfc_build(&lane->older, sink);
    od_bfc_build(&lane->young, sink);
    lane->current = NULL;
}

static void lane_mix(struct lane *lane)
{
    if (od_bfc_pool_is_empty(&lane->young))
        return;
    od_bfc_pool_merge(&lane->older, &lane->young);
    lane->older.mixed = true;
}

/* ---- what fits ---- */

/* The kinds of line that may stand directly before each kind, in a dump that has the lane alone. */
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

/* Has the pool a region whose lines said that it goes on? */
static bool is_in_region(const struct od_bfc_pool *pool)
{
    for (size_t i = 0; i < pool->nopen; i++)
        if (pool->chains.items[pool->open[i]].says_next)
            return true;
    return false;
}

static bool chunk_fits(struct lane *lane, uint64_t address)
{
    struct od_bfc_pool *young = &lane->young;
    if (od_bfc_pool_expects(young, address))
        return true;
    if (od_bfc_pool_expects(&lane->older, address))
        return false;
    return young->regions.n == 0 || (young->newest == OD_BFC_REGION && !is_in_region(young));
}

/* Is record what young prints next, beyond doubt? Asked while other dumps are unfinished. */
static bool fits_strictly(struct lane *lane, const struct od_bfc_record *record)
{
    const struct od_bfc_pool *young = &lane->young;
    if (!follows(record->kind, young->newest))
        return false;
    if (record->kind == OD_BFC_CHUNK)
        return chunk_fits(lane, record->as.chunk.chunk.address);
    if (record->kind == OD_BFC_BIN && young->bins.n > 0)
        return record->as.bin.min_bytes == 2 * young->bins.items[young->bins.n - 1].row.min_bytes;
    if (record->kind == OD_BFC_BIN_FOR)
        return young->bins.items[young->bins.n - 1].row.min_bytes == LAST_BIN;
    if (record->kind == OD_BFC_ROW && young->rows.n > 0)
        return record->as.row.bytes > young->rows.items[young->rows.n - 1].row.bytes;
    if (record->kind == OD_BFC_REGION || record->kind == OD_BFC_SUMMARY)
        return !is_in_region(young);
    return true;
}

/* Does record go on with a dump that is alone? Lines may be missing from it. */
static bool fits_alone(const struct od_bfc_pool *young, const struct od_bfc_record *record)
{
    enum od_bfc_kind kind = record->kind == OD_BFC_REGION ? OD_BFC_CHUNK : record->kind;
    enum od_bfc_kind newest = young->newest == OD_BFC_REGION ? OD_BFC_CHUNK : young->newest;
    if (kind != newest)
        return kind > newest;
    if (kind == OD_BFC_BIN)
        return record->as.bin.min_bytes > young->bins.items[young->bins.n - 1].row.min_bytes;
    if (kind == OD_BFC_ROW)
        return record->as.row.bytes > young->rows.items[young->rows.n - 1].row.bytes;
    return kind == OD_BFC_CHUNK || kind == OD_BFC_STATE || kind == OD_BFC_POOL;
}

/* A chunk of a region that a dump had not finished when other lines of the kind came. */
static bool goes_on(struct od_bfc_pool *pool, const struct od_bfc_record *record)
{
    return record->kind == OD_BFC_CHUNK &&
           od_bfc_pool_expects(pool, record->as.chunk.chunk.address);
}

/* ---- records ---- */

static bool begins_dump(struct lane *lane, const struct od_bfc_record *record)
{
    if (record->kind == OD_BFC_NAME)
        return !od_bfc_pool_unnamed(&lane->young, record->as.name) &&
               !od_bfc_pool_unnamed(&lane->older, record->as.name);
    if (record->kind == OD_BFC_BIN)
        return record->as.bin.min_bytes == 256 && !od_bfc_pool_awaits_bins(&lane->young) &&
               !od_bfc_pool_awaits_bins(&lane->older);
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

/* The pool that a record goes to. */
static struct od_bfc_pool *choose(struct lane *lane, const struct od_bfc_record *record,
                                  const struct od_sink *sink)
{
    struct od_bfc_pool *older = &lane->older, *young = &lane->young;
    if (begins_dump(lane, record)) {
        if (is_ended(young))
            od_bfc_build(young, sink);
        lane_mix(lane);
        if (is_full(older))
            od_bfc_build(older, sink);
        return young;
    }
    if (!od_bfc_pool_is_empty(older)) {
        if (!od_bfc_pool_is_empty(young) && fits_strictly(lane, record))
            return young;
        lane_mix(lane);
        return older;
    }
    if (od_bfc_pool_is_empty(young) || young->mixed || fits_alone(young, record))
        return young;
    if (goes_on(young, record))
        young->mixed = true;
    else
        od_bfc_build(young, sink);
    return young;
}

/* Emits what is finished with the line just taken. */
static void settle(struct lane *lane, const struct od_sink *sink)
{
    struct od_bfc_pool *pool = lane->current;
    if (pool->mixed) {
        if (is_full(pool) ||
            (od_bfc_pool_is_complete(pool) && pool->occupancies.n >= pool->stats.n))
            od_bfc_build(pool, sink);
        return;
    }
    bool has_header = pool->starts.n > 0 && pool->starts.items[0].is_header;
    if (pool->newest == OD_BFC_LATE || (pool->newest == OD_BFC_OCCUPANCY && has_header)) {
        if (od_bfc_pool_is_empty(&lane->older) || od_bfc_build_adds_up(pool))
            od_bfc_build(pool, sink);
        else
            lane_mix(lane);
    }
}

static void take(struct bfc *bfc, struct lane *lane, const struct od_bfc_record *record,
                 const struct od_line *line, const struct od_sink *sink)
{
    struct od_bfc_pool *pool = choose(lane, record, sink);
    if (pool == &lane->older)
        pool->mixed = true;
    lane->foreign = 0;
    lane->current = pool;
    od_bfc_pool_add(pool, &bfc->store, record, line, ++lane->seq);
    settle(lane, sink);
}

/* Numbers of Stats follow it directly; they bear no word of their own. */
static bool take_stat(struct bfc *bfc, struct lane *lane, const struct od_bfc_record *record,
                      const struct od_line *line)
{
    struct od_bfc_pool *pool = lane->current;
    if (!pool || (pool->newest != OD_BFC_STATS && pool->newest != OD_BFC_STAT))
        return false;
    lane->foreign = 0;
    od_bfc_pool_add(pool, &bfc->store, record, line, ++lane->seq);
    return true;
}

/* The request of a dump of TF 0.x, which has ended or is about to. */
static void take_late(struct bfc *bfc, struct lane *lane, const struct od_bfc_record *record,
                      const struct od_line *line, const struct od_sink *sink)
{
    struct od_bfc_pool *pool = &lane->young;
    if (od_bfc_pool_is_empty(pool))
        pool = &lane->older;
    if (od_bfc_pool_is_empty(pool) || pool->newest < OD_BFC_STATS)
        return;
    lane->foreign = 0;
    lane->current = pool;
    od_bfc_pool_add(pool, &bfc->store, record, line, ++lane->seq);
    settle(lane, sink);
}

/* May a dump begin with that line, its head being cut? Otherwise one must be open. */
static bool needs_open(const struct od_bfc_record *record)
{
    return record->kind == OD_BFC_HINT || record->kind == OD_BFC_OCCUPANCY;
}

static bool occupancy_is_due(const struct lane *lane, const struct od_bfc_record *record)
{
    if (record->signed_line)
        return true;
    const struct od_bfc_pool *pool = lane->current;
    if (!pool || pool->newest < OD_BFC_TOTAL)
        return false;
    struct od_view cells = record->as.occupancy;
    return od_view_find_char(cells, '*', 0) != OD_VIEW_NONE ||
           od_view_find_char(cells, 'x', 0) != OD_VIEW_NONE || od_bfc_pool_is_unused(pool);
}

static void wait_for(struct lane *lane, const struct od_sink *sink)
{
    if (!lane || !lane_is_open(lane))
        return;
    lane->foreign++;
    const struct od_bfc_pool *young = &lane->young;
    bool may_be_finished =
        od_bfc_pool_is_empty(&lane->older)
            ? od_bfc_pool_is_complete(young) || is_ended(young)
            : od_bfc_pool_is_empty(young) && od_bfc_pool_is_complete(&lane->older);
    bool is_word = od_bfc_pool_is_empty(&lane->older) && od_bfc_pool_is_word(young);
    if (lane->foreign > FOREIGN_LINES || (may_be_finished && lane->foreign > LINGER_LINES) ||
        (is_word && lane->foreign > WORD_LINES))
        lane_close(lane, sink);
}

static enum od_take read_record(struct bfc *bfc, const struct od_bfc_record *record,
                                const struct od_line *line, const struct od_sink *sink)
{
    struct lane *lane = lane_find(bfc, line->lane);
    if (record->kind == OD_BFC_STAT)
        return lane && take_stat(bfc, lane, record, line) ? OD_TAKE_ALL : OD_TAKE_NONE;
    if (record->kind == OD_BFC_LATE) {
        if (lane)
            take_late(bfc, lane, record, line, sink);
        return OD_TAKE_SHARE;
    }
    if (needs_open(record) && (!lane || !lane_is_open(lane)))
        return record->signed_line ? OD_TAKE_ALL : OD_TAKE_NONE;
    if (record->kind == OD_BFC_HINT)
        return OD_TAKE_ALL;
    if (record->kind == OD_BFC_OCCUPANCY && !occupancy_is_due(lane, record))
        return OD_TAKE_NONE;
    take(bfc, lane_at(bfc, line), record, line, sink);
    return record->kind == OD_BFC_HEADER ? OD_TAKE_SHARE : OD_TAKE_ALL;
}

static enum od_take bfc_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct bfc *bfc = state;
    struct od_bfc_record record;
    enum od_take taken = OD_TAKE_NONE;
    od_bfc_line_read(line->text, &record);
    if (record.kind == OD_BFC_NONE)
        wait_for(lane_find(bfc, line->lane), sink);
    else
        taken = read_record(bfc, &record, line, sink);
    struct lane *lane = lane_find(bfc, line->lane);
    if (lane)
        count_open(bfc, lane);
    return taken;
}

static struct od_streak_taken bfc_streak(void *state, const struct od_streak *streak,
                                         const struct od_sink *sink)
{
    struct bfc *bfc = state;
    struct od_streak_taken taken = {0};
    struct od_line line = *streak->line;
    struct lane *lane = lane_find(bfc, line.lane);
    struct od_bfc_record record;
    struct od_bfc_front front;
    if (!lane || !od_bfc_front_init(&front, streak->sample))
        return taken;
    for (;;) {
        struct od_view rest = od_view_from(streak->rest, taken.bytes);
        size_t n = od_bfc_front_next(&front, rest, &record);
        if (n == 0)
            return taken;
        line.at.line++;
        line.at.offset = streak->offset + taken.bytes;
        take(bfc, lane, &record, &line, sink);
        count_open(bfc, lane);
        taken.lines++;
        taken.bytes += n;
    }
}

static bool bfc_is_open(const void *state)
{
    const struct bfc *bfc = state;
    return bfc->nopen > 0;
}

static void bfc_end(void *state, uint32_t source, const struct od_sink *sink)
{
    struct bfc *bfc = state;
    for (size_t i = 0; i < bfc->lanes.n; i++)
        if (bfc->lanes.items[i]->source == source) {
            lane_close(bfc->lanes.items[i], sink);
            count_open(bfc, bfc->lanes.items[i]);
        }
}

static const char *const literals[] = {"bfc_allocator.cc:",
                                       "ran out of memory trying to allocate",
                                       "Ran out of memory trying to allocate",
                                       "BFCAllocator dump for ",
                                       "Bin (",
                                       "Chunk State:",
                                       "| Requested Size: ",
                                       "Next region of size ",
                                       "InUse at ",
                                       "Free at ",
                                       "Free  at ",
                                       "Chunk at ",
                                       "Summary of in-use Chunks",
                                       " Chunks of size ",
                                       "Sum Total of in-use chunks",
                                       "total_region_allocated_bytes_",
                                       "Total bytes in pool: ",
                                       "Allocator memory summary: ",
                                       "Stats:",
                                       NULL};

const struct od_reader od_reader_bfc = {.name = "bfc",
                                        .literals = literals,
                                        .state_size = sizeof(struct bfc),
                                        .begin = bfc_begin,
                                        .line = bfc_line,
                                        .streak = bfc_streak,
                                        .is_open = bfc_is_open,
                                        .end = bfc_end,
                                        .release = bfc_release};
