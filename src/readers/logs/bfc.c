/*
 * The BFC allocator's dumps (TensorFlow, JAX). A dump takes lines in the order in which a dump
 * prints them. If a dump starts before the previous one has ended, either the previous one was cut
 * or the lines of both are mixed. Of mixed dumps only the starts are stored.
 */
#include "readers/logs/bfc_builder.h"
#include "readers/reader.h"

#include "readers/logs/bfc_lists.inc"

enum {
    FOREIGN_LINES = 2000, /* foreign lines after which an unfinished dump is given up */
    LINGER_LINES = 64,    /* lines for which a dump that may be finished stays open */
    WORD_LINES = 1,       /* lines for which a "Stats:" without numbers stays open */
    DUMPS_AT_ONCE = 16    /* few machines have more devices */
};

struct bfc {
    struct od_bfc_store *store;
    struct od_bfc_builder builder;
    bool doubted;     /* this dump started before the previous one had ended */
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
    od_bfc_builder_clear(&((struct bfc *)state)->builder);
}

static void bfc_release_shared(void *shared)
{
    struct od_bfc_store *store = shared;
    od_map_done(&store->texts);
    od_vec_done(&store->views);
}

static bool bfc_is_open(const void *state)
{
    return !od_bfc_builder_is_empty(&((const struct bfc *)state)->builder);
}

/* Stores only the starts of mixed dumps; the rest of the previous dump will still be printed. */
static void mix(struct bfc *bfc)
{
    if (!bfc->builder.mixed)
        bfc->builder.follows_cut = bfc->builder.starts.n == 1;
    od_bfc_builder_mix(&bfc->builder);
}

static void bfc_end(void *state, const struct od_sink *sink)
{
    struct bfc *bfc = state;
    if (bfc->doubted && !od_bfc_builder_is_clean(&bfc->builder))
        mix(bfc);
    od_bfc_builder_emit(&bfc->builder, sink);
    bfc->doubted = false;
}

/* ---- Does a record continue the open dump? ---- */

/* Can the record be the next one of the dump, even if lines are missing in between? */
static bool fits(struct od_bfc_builder *b, const struct od_bfc_record *record)
{
    const struct od_dump *dump = &b->dump;
    enum od_bfc_kind kind = record->kind == OD_BFC_REGION ? OD_BFC_CHUNK : record->kind;
    enum od_bfc_kind newest = b->newest == OD_BFC_REGION ? OD_BFC_CHUNK : b->newest;
    if (b->mixed)
        return true;
    if (kind == OD_BFC_NAME)
        return od_bfc_builder_unnamed(b, record->as.name);
    if (kind != newest)
        return kind > newest;
    if (kind == OD_BFC_BIN)
        return record->as.bin.min_bytes > dump->bins.items[dump->bins.n - 1].min_bytes;
    if (kind == OD_BFC_ROW) /* one dump has one row of a size; a copied log may be sorted */
        return record->as.row.bytes != dump->summary.items[dump->summary.n - 1].bytes;
    return kind == OD_BFC_CHUNK || kind == OD_BFC_STATE || kind == OD_BFC_POOL;
}

static bool begins_dump(struct od_bfc_builder *b, const struct od_bfc_record *record)
{
    if (record->kind == OD_BFC_NAME)
        return !od_bfc_builder_unnamed(b, record->as.name);
    if (record->kind == OD_BFC_BIN)
        return record->as.bin.min_bytes == 256 && !od_bfc_builder_awaits_bins(b);
    return record->kind == OD_BFC_HEADER;
}

static bool is_ended(const struct od_bfc_builder *b)
{
    return !b->mixed && (b->newest == OD_BFC_OCCUPANCY || b->newest == OD_BFC_LATE);
}

/* If the record does not continue the dump: ends the dump, or finds that dumps are mixed. Two
 * headers may belong to one dump. */
static void turn(struct bfc *bfc, const struct od_bfc_record *record, const struct od_sink *sink)
{
    struct od_bfc_builder *b = &bfc->builder;
    bool begins = begins_dump(b, record), ended = is_ended(b);
    if (od_bfc_builder_is_empty(b) || (!begins && fits(b, record)))
        return;
    bool more = b->starts.n < DUMPS_AT_ONCE;
    if (more && bfc->doubted && !ended && b->has_body) {
        mix(bfc);
    } else if (!more || b->has_body) {
        bfc_end(bfc, sink);
        bfc->doubted = begins && !ended;
    } else {
        bfc->doubted = true;
    }
}

/* Emits the dump if the last line completed it. */
static void settle(struct bfc *bfc, const struct od_sink *sink)
{
    const struct od_bfc_builder *b = &bfc->builder;
    bool has_header = b->starts.n > 0 && b->starts.items[0].is_header;
    bool whole =
        b->newest == OD_BFC_LATE || (b->newest == OD_BFC_OCCUPANCY && (has_header || b->mixed));
    if (whole && bfc->doubted && !b->mixed && !od_bfc_builder_adds_up(b))
        mix(bfc);
    else if (whole && (!b->mixed || (od_bfc_builder_is_complete(b) && b->occupancies >= b->stats)))
        bfc_end(bfc, sink);
}

static void take(struct bfc *bfc, const struct od_bfc_record *record, const struct od_line *line,
                 const struct od_sink *sink)
{
    bfc->foreign = 0;
    turn(bfc, record, sink);
    od_bfc_builder_add(&bfc->builder, bfc->store, record, line);
    settle(bfc, sink);
}

/* Takes a number of Stats, which must directly follow because it has no unique word. */
static bool take_stat(struct bfc *bfc, const struct od_bfc_record *record,
                      const struct od_line *line)
{
    if (bfc->builder.newest != OD_BFC_STATS && bfc->builder.newest != OD_BFC_STAT)
        return false;
    bfc->foreign = 0;
    od_bfc_builder_add(&bfc->builder, bfc->store, record, line);
    return true;
}

/* Takes the line with the request, which TF 0.x prints after the dump. */
static void take_late(struct bfc *bfc, const struct od_bfc_record *record,
                      const struct od_line *line, const struct od_sink *sink)
{
    if (bfc->builder.newest < OD_BFC_STATS)
        return;
    bfc->foreign = 0;
    od_bfc_builder_add(&bfc->builder, bfc->store, record, line);
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
    const struct od_bfc_builder *b = &bfc->builder;
    if (b->newest < OD_BFC_TOTAL)
        return false;
    struct od_count in_use = b->dump.stats.in_use;
    struct od_view cells = record->as.occupancy;
    return od_view_find_char(cells, '*', 0) != OD_VIEW_NONE ||
           od_view_find_char(cells, 'x', 0) != OD_VIEW_NONE || (in_use.known && in_use.n == 0);
}

static void wait_for(struct bfc *bfc, const struct od_sink *sink)
{
    const struct od_bfc_builder *b = &bfc->builder;
    if (!bfc_is_open(bfc))
        return;
    bfc->foreign++;
    bool may_be_finished = od_bfc_builder_is_complete(b) || is_ended(b);
    if (bfc->foreign > FOREIGN_LINES || (may_be_finished && bfc->foreign > LINGER_LINES) ||
        (od_bfc_builder_is_word(b) && bfc->foreign > WORD_LINES))
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
    if (needs_open(record) && !bfc_is_open(bfc))
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
    od_bfc_line_read(line->text, &record);
    if (record.kind != OD_BFC_NONE)
        return read_record(bfc, &record, line, sink);
    wait_for(bfc, sink);
    return OD_TAKE_NONE;
}

const struct od_reader od_reader_bfc = {.name = "bfc",
                                        .literals = literals,
                                        .state_size = sizeof(struct bfc),
                                        .shared_size = sizeof(struct od_bfc_store),
                                        .begin = bfc_begin,
                                        .line = bfc_line,
                                        .is_open = bfc_is_open,
                                        .end = bfc_end,
                                        .release = bfc_release,
                                        .release_shared = bfc_release_shared};
