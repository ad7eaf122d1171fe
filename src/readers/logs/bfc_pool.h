/*
 * A pool: the records of one or more dumps that could not be distinguished while they were read, in
 * order of arrival. Most pools contain one dump. Chunk lines are chained at once (a chunk continues
 * the open chain that expects its address), which does not require knowing their dump; a chain is a
 * region. Everything else is done in bfc_build.h.
 *
 * Ownership: a pool owns its arrays, but not the texts, which are in the arena it was made with.
 */
#pragma once

#include "base/map.h"
#include "facts/dump.h"
#include "facts/line.h"
#include "readers/logs/bfc_line.h"

/* Limit of chunks for one input, over all dumps: 512 MiB. */
#define OD_BFC_CHUNK_LIMIT (UINT64_C(16) << 20)

enum { OD_BFC_OPEN_CHAINS = 64 };

/* The place of a record: its line, and a number that orders the records of a lane. */
struct od_bfc_position {
    uint64_t line;
    uint64_t offset;
    uint64_t seq;
};

/* The start of a dump: its header, its name line, or (in old dumps without either) its first
 * bin. */
struct od_bfc_start {
    struct od_bfc_position position;
    uint32_t nlines;
    bool is_header;
    bool named; /* its name line was seen */
    struct od_view allocator, op, stamp, words;
    struct od_bytes requested, rounded;
};

/* A region: chunks with consecutive addresses. */
struct od_bfc_chain {
    struct od_bfc_position first, last;
    uint64_t address, next; /* next: the expected next address */
    uint64_t bytes, in_use;
    uint64_t lost; /* chunks over the limit, counted in bytes and in_use but not stored */
    size_t nchunks;
    bool ended;     /* its last line ended the region */
    bool says_next; /* its lines show whether another chunk follows */
};

/* n chunks from `first` on belong to that chain. */
struct od_bfc_run {
    size_t first, n, chain;
};

struct od_bfc_bytes_item {
    struct od_bfc_position position;
    struct od_bytes bytes;
};

struct od_bfc_bin_item {
    struct od_bfc_position position;
    struct od_bin_row row;
};

struct od_bfc_row_item {
    struct od_bfc_position position;
    struct od_summary_row row;
};

struct od_bfc_pool_item {
    struct od_bfc_position position;
    struct od_bfc_pool_line pool;
};

struct od_bfc_stats_item {
    struct od_bfc_position position;
    uint64_t last_line;
    struct od_allocator_stats stats;
};

struct od_bfc_text_item {
    struct od_bfc_position position;
    struct od_view text;
};

struct od_bfc_pool {
    OD_VEC(struct od_bfc_start) starts;
    OD_VEC(struct od_chunk) chunks; /* lines relative to first.line, in order of arrival */
    OD_VEC(struct od_chunk_details) details;
    OD_VEC(struct od_bfc_run) runs;
    OD_VEC(struct od_bfc_chain) chains;
    OD_VEC(struct od_bfc_bytes_item) regions; /* lines that announce a region */
    OD_VEC(struct od_bfc_bin_item) bins;
    OD_VEC(struct od_bfc_bytes_item) bin_fors;
    OD_VEC(struct od_bfc_position) summaries; /* headings of summaries */
    OD_VEC(struct od_bfc_row_item) rows;
    OD_VEC(struct od_bfc_bytes_item) totals;
    OD_VEC(struct od_bfc_pool_item) pools;
    OD_VEC(struct od_bfc_stats_item) stats;
    OD_VEC(struct od_bfc_text_item) occupancies;
    OD_VEC(struct od_bfc_start) lates;

    size_t open[OD_BFC_OPEN_CHAINS]; /* chains that expect another chunk */
    size_t nopen;

    enum od_bfc_kind newest; /* kind of the last record */
    struct od_prov at;       /* place of its first line */
    struct od_bfc_position last;
    uint32_t lane;
    const struct od_place *place;
    size_t nrecords;   /* records of the body, without headers and hints */
    size_t first_bins; /* rows of the smallest bin */
    bool mixed;        /* may hold more than one dump */
};

/* Texts and the limit of chunks, shared by all pools of an input. */
struct od_bfc_store {
    struct od_arena *arena;
    struct od_map texts; /* text -> index + 1 in views, to store each text once */
    OD_VEC(struct od_view) views;
    uint64_t chunks_left;
};

void od_bfc_pool_done(struct od_bfc_pool *pool);

/* Removes everything and frees the memory. */
void od_bfc_pool_clear(struct od_bfc_pool *pool);

static inline bool od_bfc_pool_is_empty(const struct od_bfc_pool *pool)
{
    return pool->last.seq == 0;
}

/* The open chain that expects a chunk at that address, preferring the latest one; NULL if there is
 * none. */
struct od_bfc_chain *od_bfc_pool_expects(struct od_bfc_pool *pool, uint64_t address);

/* Does a header of that allocator still lack its name line? (awaits_bins: does a dump still lack
 * its first bin?) */
struct od_bfc_start *od_bfc_pool_unnamed(struct od_bfc_pool *pool, struct od_view allocator);
bool od_bfc_pool_awaits_bins(const struct od_bfc_pool *pool);

/* Have all dumps in it ended, according to their lines? */
bool od_bfc_pool_is_complete(const struct od_bfc_pool *pool);

/* Do its last Stats show that nothing is in use? */
bool od_bfc_pool_is_unused(const struct od_bfc_pool *pool);

/* Does it only contain a "Stats:" without the allocator's numbers below? Other programs also start
 * a paragraph with that word. */
bool od_bfc_pool_is_word(const struct od_bfc_pool *pool);

/* Adds the record of a line; seq must increase. Copies its texts. */
void od_bfc_pool_add(struct od_bfc_pool *pool, struct od_bfc_store *store,
                     const struct od_bfc_record *record, const struct od_line *line, uint64_t seq);

/* Appends all records of latest to pending and empties latest. */
void od_bfc_pool_merge(struct od_bfc_pool *pending, struct od_bfc_pool *latest);
