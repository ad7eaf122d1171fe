/*
 * Finds the regions of one dump among those of many. A path is a series of chains that one thread
 * can have printed: each starts after the previous one ended, at a higher address (the allocator
 * keeps its regions sorted). The path whose sums equal a stats block is that block's dump. Skipped
 * chains cost; the cheapest path is searched first.
 */
#include "readers/logs/bfc_plan.h"

enum {
    PATH_CHAINS = 2048,   /* a pool with more chains is not searched */
    PATH_STEPS = 2000000, /* steps of the search for one stats block */
    PATH_PASSES = 64,     /* most chains skipped in one path */
    SIZES_ASKED = 16,     /* sizes of a chain looked up in the summaries */
};

/* Number of chunks in use of one size in one chain. */
struct size_in {
    uint64_t bytes, count;
};

struct search {
    const struct od_bfc_pool *pool;
    uint32_t *owner;
    uint64_t *starts;             /* for each chain: seq of its announcement, or of its first
                                     chunk */
    bool *allowed;                /* for each chain: it may belong to the dump */
    struct size_in *sizes;        /* the largest sizes in use of each chain, SIZES_ASKED of them */
    struct od_bfc_row_item *rows; /* summary rows sorted by size */
    size_t path[PATH_CHAINS];
    unsigned passed[PATH_CHAINS]; /* number of chains skipped before this position */
    size_t depth;
    uint64_t bytes, in_use;
    uint64_t want_in_use, most_bytes, before;
    struct od_count want_limit;
    unsigned passes;
    size_t steps;
};

/* ---- sizes: the summary of a dump lists all its sizes ---- */

static int row_by_size(const void *a, const void *b)
{
    const struct od_bfc_row_item *x = a, *y = b;
    if (x->row.bytes != y->row.bytes)
        return x->row.bytes < y->row.bytes ? -1 : 1;
    return x->position.seq < y->position.seq ? -1 : x->position.seq > y->position.seq;
}

/* Adds a size to a chain's largest sizes, counting equal ones. */
static void note_size(struct size_in *sizes, uint64_t bytes)
{
    size_t at = 0;
    while (at < SIZES_ASKED && sizes[at].bytes > bytes)
        at++;
    if (at == SIZES_ASKED)
        return;
    if (sizes[at].bytes == bytes) {
        sizes[at].count++;
        return;
    }
    memmove(&sizes[at + 1], &sizes[at], (SIZES_ASKED - at - 1) * sizeof *sizes);
    sizes[at] = (struct size_in){bytes, 1};
}

static void note_sizes(struct search *s)
{
    const struct od_bfc_pool *pool = s->pool;
    OD_FOR_EACH (const struct od_bfc_run, run, pool->runs) {
        for (size_t i = run->first; i < run->first + run->n; i++)
            if (pool->chunks.items[i].in_use && pool->chunks.items[i].bytes > 0)
                note_size(&s->sizes[run->chain * SIZES_ASKED], pool->chunks.items[i].bytes);
    }
    if (pool->rows.n > 0)
        memcpy(s->rows, pool->rows.items, pool->rows.n * sizeof *s->rows);
    qsort(s->rows, pool->rows.n, sizeof *s->rows, row_by_size);
}

/* Is there a summary row with at least that many chunks of that size, between the chain and the
 * stats? */
static bool is_listed(const struct search *s, const struct size_in *size, uint64_t after)
{
    size_t low = 0, high = s->pool->rows.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct od_bfc_row_item *row = &s->rows[mid];
        if (row->row.bytes < size->bytes ||
            (row->row.bytes == size->bytes && row->position.seq < after))
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < s->pool->rows.n && s->rows[low].row.bytes == size->bytes &&
           s->rows[low].position.seq < s->before;
         low++)
        if (s->rows[low].row.count >= size->count)
            return true;
    return false;
}

/* Can the chain belong to the dump with these stats? */
static bool is_allowed(const struct search *s, size_t c)
{
    const struct od_bfc_chain *chain = &s->pool->chains.items[c];
    if (chain->last.seq > s->before)
        return false;
    const struct size_in *sizes = &s->sizes[c * SIZES_ASKED];
    for (size_t i = 0; i < SIZES_ASKED && sizes[i].bytes > 0; i++)
        if (!is_listed(s, &sizes[i], chain->last.seq))
            return false;
    return true;
}

/* ---- the search ---- */

/* Can that pool line precede these stats in their dump? */
static bool is_pool_of(const struct search *s, const struct od_bfc_pool_item *item)
{
    return item->position.seq < s->before && (!item->pool.limit.known || !s->want_limit.known ||
                                              item->pool.limit.n == s->want_limit.n);
}

static bool is_known_pool(const struct search *s, uint64_t bytes)
{
    const struct od_bfc_pool *pool = s->pool;
    for (size_t i = 0; i < pool->pools.n; i++)
        if (is_pool_of(s, &pool->pools.items[i]) && pool->pools.items[i].pool.pool.n == bytes)
            return true;
    return pool->pools.n == 0;
}

static bool may_follow(struct search *s, size_t c)
{
    const struct od_bfc_chain *chain = &s->pool->chains.items[c];
    if (s->owner[c] != OD_BFC_NOBODY || !s->allowed[c] ||
        chain->in_use > s->want_in_use - s->in_use || chain->bytes > s->most_bytes - s->bytes)
        return false;
    if (s->depth == 0)
        return true;
    const struct od_bfc_chain *last = &s->pool->chains.items[s->path[s->depth - 1]];
    return s->starts[c] >= last->last.seq && chain->address >= last->address;
}

static void push(struct search *s, size_t c, unsigned passed)
{
    s->path[s->depth] = c;
    s->passed[s->depth++] = passed;
    s->bytes += s->pool->chains.items[c].bytes;
    s->in_use += s->pool->chains.items[c].in_use;
}

static size_t pop(struct search *s, unsigned *ret_passed)
{
    size_t c = s->path[--s->depth];
    *ret_passed = s->passed[s->depth];
    s->bytes -= s->pool->chains.items[c].bytes;
    s->in_use -= s->pool->chains.items[c].in_use;
    return c;
}

static bool is_found(const struct search *s)
{
    return s->depth > 0 && s->in_use == s->want_in_use && is_known_pool(s, s->bytes);
}

/* Depth-first search in order of time, skipping at most s->passes possible chains. */
static bool find_path(struct search *s)
{
    size_t next = 0;
    unsigned passed = 0;
    s->depth = 0;
    s->bytes = s->in_use = 0;
    for (;;) {
        while (next < s->pool->chains.n && s->steps++ < PATH_STEPS && !may_follow(s, next))
            next++;
        if (next < s->pool->chains.n && passed <= s->passes && s->steps < PATH_STEPS) {
            push(s, next++, passed);
            if (is_found(s))
                return true;
            continue;
        }
        if (s->depth == 0 || s->steps >= PATH_STEPS)
            return false;
        next = pop(s, &passed) + 1;
        passed++;
    }
}

static uint64_t most_bytes(const struct search *s)
{
    uint64_t most = 0;
    OD_FOR_EACH (const struct od_bfc_pool_item, item, s->pool->pools)
        if (is_pool_of(s, item) && item->pool.pool.n > most)
            most = item->pool.pool.n;
    if (most == 0)
        return s->want_limit.known ? s->want_limit.n : UINT64_MAX;
    return most;
}

static void find_one(struct search *s, size_t block)
{
    const struct od_bfc_stats_item *item = &s->pool->stats.items[block];
    if (!item->stats.in_use.known || item->stats.rounded)
        return;
    s->want_in_use = item->stats.in_use.n;
    s->want_limit = item->stats.limit;
    s->before = item->position.seq;
    s->most_bytes = most_bytes(s);
    s->steps = 0;
    for (size_t c = 0; c < s->pool->chains.n; c++)
        s->allowed[c] = is_allowed(s, c);
    for (s->passes = 0; s->passes <= PATH_PASSES && s->steps < PATH_STEPS;
         s->passes = s->passes * 2 + 1)
        if (find_path(s)) {
            for (size_t i = 0; i < s->depth; i++)
                s->owner[s->path[i]] = (uint32_t)block;
            return;
        }
}

static void search_init(struct search *s, const struct od_bfc_pool *pool,
                        const struct od_bfc_plan *plan)
{
    size_t n = pool->chains.n;
    s->pool = pool;
    s->owner = plan->chains;
    s->starts = od_mem_alloc(n + 1, sizeof *s->starts);
    s->allowed = od_mem_alloc(n + 1, sizeof *s->allowed);
    s->sizes = od_mem_alloc((n + 1) * SIZES_ASKED, sizeof *s->sizes);
    s->rows = od_mem_alloc(pool->rows.n + 1, sizeof *s->rows);
    for (size_t c = 0; c < n; c++) {
        uint32_t said = plan->announced[c];
        s->starts[c] = said == OD_BFC_NOBODY ? pool->chains.items[c].first.seq
                                             : pool->regions.items[said].position.seq;
    }
    note_sizes(s);
}

static void search_free(struct search *s)
{
    od_mem_free(s->starts);
    od_mem_free(s->allowed);
    od_mem_free(s->sizes);
    od_mem_free(s->rows);
    od_mem_free(s);
}

void od_bfc_path_find(const struct od_bfc_pool *pool, struct od_bfc_plan *plan)
{
    if (pool->chains.n > PATH_CHAINS)
        return;
    struct search *s = od_mem_alloc(1, sizeof *s);
    search_init(s, pool, plan);
    for (size_t i = 0; i < pool->stats.n; i++)
        find_one(s, i);
    search_free(s);
}
