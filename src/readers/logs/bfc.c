/*
 * The BFC allocator's dumps (TensorFlow, JAX). `latest` takes the lines of the latest dump as long
 * as they are what a dump prints next. If a dump starts before the one above has ended, that one is
 * held: it was cut, or its lines come between those of the next. If they do, only the starts of
 * both are kept.
 */
#include "readers/logs/bfc_draft.h"
#include "readers/reader.h"

#include "readers/logs/bfc_lists.inc"

enum {
    FOREIGN_LINES = 2000, /* foreign lines after which an unfinished dump is given up */
    LINGER_LINES = 64,    /* lines for which a dump that may be finished stays open */
    WORD_LINES = 1,       /* lines for which a "Stats:" without numbers stays open */
    DUMPS_AT_ONCE = 64
};

struct bfc {
    struct od_bfc_store *store;
    struct od_bfc_draft held, latest;
    struct od_bfc_draft *current; /* the one that took the last record */
    unsigned foreign;             /* lines since the last record */
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
    od_bfc_draft_clear(&bfc->held);
    od_bfc_draft_clear(&bfc->latest);
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
    return !od_bfc_draft_is_empty(&bfc->held) || !od_bfc_draft_is_empty(&bfc->latest);
}

/* Holds the latest dump: its lines are mixed with those of the one held, if any. */
static void mix(struct bfc *bfc)
{
    od_bfc_draft_move(&bfc->held, &bfc->latest);
    od_bfc_draft_mix(&bfc->held);
}

static void bfc_end(void *state, const struct od_sink *sink)
{
    struct bfc *bfc = state;
    if (!od_bfc_draft_is_empty(&bfc->held) && !od_bfc_draft_is_clean(&bfc->latest))
        mix(bfc);
    od_bfc_draft_emit(&bfc->held, sink);
    od_bfc_draft_emit(&bfc->latest, sink);
    bfc->current = NULL;
}

/* ---- which record fits ---- */

/* Does the record continue a dump? Lines may be missing. */
static bool fits(struct od_bfc_draft *latest, const struct od_bfc_record *record)
{
    const struct od_dump *dump = &latest->dump;
    enum od_bfc_kind kind = record->kind == OD_BFC_REGION ? OD_BFC_CHUNK : record->kind;
    enum od_bfc_kind newest = latest->newest == OD_BFC_REGION ? OD_BFC_CHUNK : latest->newest;
    if (latest->mixed)
        return true;
    if (kind == OD_BFC_NAME)
        return od_bfc_draft_unnamed(latest, record->as.name);
    if (kind != newest)
        return kind > newest;
    if (kind == OD_BFC_BIN)
        return record->as.bin.min_bytes > dump->bins.items[dump->bins.n - 1].min_bytes;
    if (kind == OD_BFC_ROW) /* one dump has one row of a size; a copied log may be sorted */
        return record->as.row.bytes != dump->summary.items[dump->summary.n - 1].bytes;
    return kind == OD_BFC_CHUNK || kind == OD_BFC_STATE || kind == OD_BFC_POOL;
}

static bool begins_dump(struct bfc *bfc, const struct od_bfc_record *record)
{
    if (record->kind == OD_BFC_NAME)
        return !od_bfc_draft_unnamed(&bfc->latest, record->as.name) &&
               !od_bfc_draft_unnamed(&bfc->held, record->as.name);
    if (record->kind == OD_BFC_BIN)
        return record->as.bin.min_bytes == 256 && !od_bfc_draft_awaits_bins(&bfc->latest) &&
               !od_bfc_draft_awaits_bins(&bfc->held);
    return record->kind == OD_BFC_HEADER;
}

static bool is_ended(const struct od_bfc_draft *draft)
{
    return !draft->mixed && (draft->newest == OD_BFC_OCCUPANCY || draft->newest == OD_BFC_LATE);
}

/* The draft for a record. */
static struct od_bfc_draft *choose(struct bfc *bfc, const struct od_bfc_record *record,
                                   const struct od_sink *sink)
{
    struct od_bfc_draft *held = &bfc->held, *latest = &bfc->latest;
    if (begins_dump(bfc, record)) {
        if (is_ended(latest))
            od_bfc_draft_emit(latest, sink);
        od_bfc_draft_move(held, latest);
        if (held->starts.n >= DUMPS_AT_ONCE)
            od_bfc_draft_emit(held, sink);
        return latest;
    }
    if (od_bfc_draft_is_empty(latest)) /* the one held goes on */
        od_bfc_draft_move(latest, held);
    if (od_bfc_draft_is_empty(latest) || fits(latest, record))
        return latest;
    if (od_bfc_draft_is_empty(held)) {
        od_bfc_draft_emit(latest, sink);
        return latest;
    }
    mix(bfc);
    return held;
}

/* Emits the dumps that the last line completed. */
static void settle(struct bfc *bfc, const struct od_sink *sink)
{
    struct od_bfc_draft *draft = bfc->current;
    if (draft->mixed) {
        if (od_bfc_draft_is_complete(draft) && draft->occupancies >= draft->stats)
            od_bfc_draft_emit(draft, sink);
        return;
    }
    bool has_header = draft->starts.n > 0 && draft->starts.items[0].is_header;
    if (draft->newest == OD_BFC_LATE || (draft->newest == OD_BFC_OCCUPANCY && has_header)) {
        if (od_bfc_draft_is_empty(&bfc->held) || od_bfc_draft_adds_up(draft))
            od_bfc_draft_emit(draft, sink);
        else
            mix(bfc);
    }
}

static void take(struct bfc *bfc, const struct od_bfc_record *record, const struct od_line *line,
                 const struct od_sink *sink)
{
    bfc->foreign = 0;
    bfc->current = choose(bfc, record, sink);
    od_bfc_draft_add(bfc->current, bfc->store, record, line);
    settle(bfc, sink);
}

/* Takes a number of Stats, which must directly follow because it has no unique word. */
static bool take_stat(struct bfc *bfc, const struct od_bfc_record *record,
                      const struct od_line *line)
{
    struct od_bfc_draft *draft = bfc->current;
    if (!draft || (draft->newest != OD_BFC_STATS && draft->newest != OD_BFC_STAT))
        return false;
    bfc->foreign = 0;
    od_bfc_draft_add(draft, bfc->store, record, line);
    return true;
}

/* Takes the request of a TF 0.x dump, which is printed at its end. */
static void take_late(struct bfc *bfc, const struct od_bfc_record *record,
                      const struct od_line *line, const struct od_sink *sink)
{
    struct od_bfc_draft *draft = &bfc->latest;
    if (od_bfc_draft_is_empty(draft))
        draft = &bfc->held;
    if (od_bfc_draft_is_empty(draft) || draft->newest < OD_BFC_STATS)
        return;
    bfc->foreign = 0;
    bfc->current = draft;
    od_bfc_draft_add(draft, bfc->store, record, line);
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
    const struct od_bfc_draft *draft = bfc->current;
    if (!draft || draft->newest < OD_BFC_TOTAL)
        return false;
    struct od_count in_use = draft->dump.stats.in_use;
    struct od_view cells = record->as.occupancy;
    return od_view_find_char(cells, '*', 0) != OD_VIEW_NONE ||
           od_view_find_char(cells, 'x', 0) != OD_VIEW_NONE || (in_use.known && in_use.n == 0);
}

static void wait_for(struct bfc *bfc, const struct od_sink *sink)
{
    if (!bfc_is_open(bfc))
        return;
    bfc->foreign++;
    const struct od_bfc_draft *latest = &bfc->latest, *held = &bfc->held;
    bool alone = od_bfc_draft_is_empty(held);
    bool may_be_finished = alone ? od_bfc_draft_is_complete(latest) || is_ended(latest)
                                 : od_bfc_draft_is_empty(latest) && od_bfc_draft_is_complete(held);
    bool is_word = alone && od_bfc_draft_is_word(latest);
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
