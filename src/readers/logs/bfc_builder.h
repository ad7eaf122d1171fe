/*
 * A dump while its lines are read. If the lines of several dumps are mixed, only the starts are
 * stored, because inner lines do not name their dump.
 *
 * Ownership: a builder owns its arrays, but not the texts, which are in the store's arena.
 */
#pragma once

#include "base/map.h"
#include "facts/event.h"
#include "readers/logs/bfc_line.h"

/* Limit of chunks for one input, over all dumps: 512 MiB. */
#define OD_BFC_CHUNK_LIMIT (UINT64_C(16) << 20)

/* The start of a dump: its header, its name line, or (in old dumps without either) its first bin;
 * or the request that TF 0.x prints at the end. */
struct od_bfc_start {
    uint64_t line, offset;
    uint32_t nlines;
    bool is_header;
    bool named; /* its name line was seen */
    struct od_view allocator, op, stamp, words;
    struct od_bytes requested, rounded;
};

struct od_bfc_builder {
    struct od_dump dump;
    OD_VEC(struct od_bfc_start) starts;
    struct od_bfc_start late;
    enum od_bfc_kind newest; /* kind of the last record; OD_BFC_NONE = the builder is empty */
    uint64_t last;           /* last line */
    bool has_body;           /* it has lines after the header */
    bool more_than_stats;    /* it has more than the line "Stats:" */
    bool mixed;              /* lines of several dumps are mixed */
    bool follows_cut;        /* also lines of a dump that was emitted already */

    size_t first_bins, summaries, stats, occupancies, pools; /* lines of each kind */

    /* The region whose chunks are being read, and the line that announces the next one. */
    uint64_t next, bytes, in_use; /* next: the expected next address; in_use: of all regions */
    bool says_next;               /* its last line announced another chunk */
    struct od_bytes announced;
    uint64_t announced_line;
    size_t announcements;
};

/* Texts and the limit of chunks, shared by all dumps of an input. */
struct od_bfc_store {
    struct od_arena *arena;
    struct od_map texts; /* text -> index + 1 in views, to store each text once */
    OD_VEC(struct od_view) views;
    uint64_t chunks_left;
};

void od_bfc_builder_clear(struct od_bfc_builder *builder);

static inline bool od_bfc_builder_is_empty(const struct od_bfc_builder *builder)
{
    return builder->newest == OD_BFC_NONE;
}

/* unnamed: a header of that allocator without its name line, or NULL. awaits_bins: does a dump
 * still lack its first bin? */
struct od_bfc_start *od_bfc_builder_unnamed(struct od_bfc_builder *builder,
                                            struct od_view allocator);
bool od_bfc_builder_awaits_bins(const struct od_bfc_builder *builder);

/* Does each of its dumps have its last line? */
bool od_bfc_builder_is_complete(const struct od_bfc_builder *builder);

/* Does it only contain a "Stats:" without the allocator's numbers below? Other programs also start
 * a paragraph with that word. */
bool od_bfc_builder_is_word(const struct od_bfc_builder *builder);

/* clean: may all lines be of one dump, because each region is announced and its pool printed once?
 * adds_up: do chunks and summary also sum to the numbers of Stats? */
bool od_bfc_builder_is_clean(const struct od_bfc_builder *builder);
bool od_bfc_builder_adds_up(const struct od_bfc_builder *builder);

/* Adds the record of a line, which must not precede those added before. Copies its texts. */
void od_bfc_builder_add(struct od_bfc_builder *builder, struct od_bfc_store *store,
                        const struct od_bfc_record *record, const struct od_line *line);

/* Marks the builder as mixed and drops everything but the starts. */
void od_bfc_builder_mix(struct od_bfc_builder *builder);

/* Emits an OD_EV_DUMP for each dump and empties the builder. A header without lines of a dump gives
 * nothing, and neither does "Stats:" without numbers. */
void od_bfc_builder_emit(struct od_bfc_builder *builder, const struct od_sink *sink);
