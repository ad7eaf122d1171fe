/*
 * A pool: the records of one or more dumps that could not be told apart while they were read, in
 * the order of arrival. Most pools hold one dump. Chunk lines are chained at once (a chunk
 * continues the open chain whose next expected address it has), as that needs no knowledge of
 * whose they are; a chain is a region. Everything else waits for bfc_build.h.
 *
 * Ownership: a pool owns its arrays, not the texts (they live in the arena it was made with).
 */
#pragma once

#include "base/map.h"
#include "facts/dump.h"
#include "facts/line.h"
#include "readers/logs/bfc_line.h"

/* Chunks kept for one input, over all its dumps; 512 MiB of them. */
#define OD_BFC_CHUNK_LIMIT (UINT64_C(16) << 20)

enum { OD_BFC_OPEN_CHAINS = 64 };

/* Where a record stood: its line, and a number that orders the records of a lane. */
struct od_bfc_seat {
    uint64_t line;
    uint64_t offset;
    uint64_t seq;
};

/* What begins a dump: its header, its name line, or (old dumps have neither) its first bin. */
struct od_bfc_start {
    struct od_bfc_seat seat;
    uint32_t nlines;
    bool is_header;
    bool named; /* its name line was seen */
    struct od_view allocator, op, stamp, words;
    struct od_bytes requested, rounded;
};

/* A region: chunks that follow one another in addresses. */
struct od_bfc_chain {
    struct od_bfc_seat first, last;
    uint64_t address, next; /* next: the expected address */
    uint64_t bytes, in_use;
    uint64_t lost; /* chunks over the limit: counted in bytes and in_use, not kept */
    size_t nchunks;
    bool ended;     /* its last line said so */
    bool says_next; /* its lines say whether the region goes on */
};

/* n chunks from first on belong to that chain. */
struct od_bfc_run {
    size_t first, n, chain;
};

struct od_bfc_bytes_item {
    struct od_bfc_seat seat;
    struct od_bytes bytes;
};

struct od_bfc_bin_item {
    struct od_bfc_seat seat;
    struct od_bin_row row;
};

struct od_bfc_row_item {
    struct od_bfc_seat seat;
    struct od_summary_row row;
};

struct od_bfc_pool_item {
    struct od_bfc_seat seat;
    struct od_bfc_pool_line pool;
};

struct od_bfc_stats_item {
    struct od_bfc_seat seat;
    uint64_t last_line;
    struct od_allocator_stats stats;
};

struct od_bfc_text_item {
    struct od_bfc_seat seat;
    struct od_view text;
};

struct od_bfc_pool {
    OD_VEC(struct od_bfc_start) starts;
    OD_VEC(struct od_chunk) chunks; /* line relative to first.line; in order of arrival */
    OD_VEC(struct od_chunk_details) details;
    OD_VEC(struct od_bfc_run) runs;
    OD_VEC(struct od_bfc_chain) chains;
    OD_VEC(struct od_bfc_bytes_item) regions; /* announcements */
    OD_VEC(struct od_bfc_bin_item) bins;
    OD_VEC(struct od_bfc_bytes_item) bin_fors;
    OD_VEC(struct od_bfc_seat) summaries; /* heads */
    OD_VEC(struct od_bfc_row_item) rows;
    OD_VEC(struct od_bfc_bytes_item) totals;
    OD_VEC(struct od_bfc_pool_item) pools;
    OD_VEC(struct od_bfc_stats_item) stats;
    OD_VEC(struct od_bfc_text_item) occupancies;
    OD_VEC(struct od_bfc_start) lates;

    size_t open[OD_BFC_OPEN_CHAINS]; /* chains that expect a chunk */
    size_t nopen;

    enum od_bfc_kind newest; /* kind of the last record */
    struct od_prov at;       /* its first line */
    struct od_bfc_seat last;
    uint32_t lane;
    const struct od_place *place;
    size_t nrecords;   /* of the body: headers and hints do not count */
    size_t first_bins; /* rows of the smallest bin */
    bool mixed;        /* may hold more than one dump */
};

/* Texts and the chunk budget that all pools of an input share. */
struct od_bfc_store {
    struct od_arena *arena;
    struct od_map texts; /* text -> index + 1 into views: each kept once */
    OD_VEC(struct od_view) views;
    uint64_t chunks_left;
};

void od_bfc_pool_done(struct od_bfc_pool *pool);

/* Forgets everything, keeping no memory. */
void od_bfc_pool_clear(struct od_bfc_pool *pool);

static inline bool od_bfc_pool_is_empty(const struct od_bfc_pool *pool)
{
    return pool->last.seq == 0;
}

/* The open chain that expects a chunk at address, the one that grew last; NULL when none does. */
struct od_bfc_chain *od_bfc_pool_expects(struct od_bfc_pool *pool, uint64_t address);

/* Does a header of that allocator wait for its name line? A dump for its first bin? */
struct od_bfc_start *od_bfc_pool_unnamed(struct od_bfc_pool *pool, struct od_view allocator);
bool od_bfc_pool_awaits_bins(const struct od_bfc_pool *pool);

/* Have all dumps that began in it ended, as far as its lines tell? */
bool od_bfc_pool_is_complete(const struct od_bfc_pool *pool);

/* Did the last Stats in it say that nothing is in use? */
bool od_bfc_pool_is_unused(const struct od_bfc_pool *pool);

/* Is all it has a "Stats:" without the numbers that only the allocator prints below? Other programs
 * begin a paragraph with that word too. */
bool od_bfc_pool_is_word(const struct od_bfc_pool *pool);

/* Adds a record read from line; seq must grow. Copies its texts. */
void od_bfc_pool_add(struct od_bfc_pool *pool, struct od_bfc_store *store,
                     const struct od_bfc_record *record, const struct od_line *line, uint64_t seq);

/* Moves everything of younger behind what older has; younger is empty then. */
void od_bfc_pool_merge(struct od_bfc_pool *older, struct od_bfc_pool *younger);
