#include "readers/logs/bfc_plan.h"

#include "readers/logs/bfc_order.h"
#include "readers/logs/bfc_sums.h"

static uint32_t *owners(size_t n, uint32_t value)
{
    uint32_t *list = od_mem_alloc(n + 1, sizeof *list);
    if (value != 0)
        for (size_t i = 0; i < n; i++)
            list[i] = value;
    return list;
}

static void plan_init(const struct od_bfc_pool *pool, struct od_bfc_plan *plan, uint32_t value)
{
    *plan = (struct od_bfc_plan){
        .starts = owners(pool->starts.n, value),
        .chains = owners(pool->chains.n, value),
        .bins = owners(pool->bins.n, value),
        .bin_fors = owners(pool->bin_fors.n, value),
        .rows = owners(pool->rows.n, value),
        .totals = owners(pool->totals.n, value),
        .pools = owners(pool->pools.n, value),
        .stats = owners(pool->stats.n, value),
        .occupancies = owners(pool->occupancies.n, value),
        .lates = owners(pool->lates.n, value),
        .announced = owners(pool->chains.n, OD_BFC_NOBODY),
    };
}

void od_bfc_plan_done(struct od_bfc_plan *plan)
{
    uint32_t *lists[] = {plan->starts, plan->chains,    plan->bins,       plan->bin_fors,
                         plan->rows,   plan->totals,    plan->pools,      plan->stats,
                         plan->lates,  plan->announced, plan->occupancies};
    for (size_t i = 0; i < OD_COUNT_OF(lists); i++)
        od_mem_free(lists[i]);
}

void od_bfc_plan_one(const struct od_bfc_pool *pool, struct od_bfc_plan *ret_plan)
{
    plan_init(pool, ret_plan, 0);
    ret_plan->ndumps = 1;
    od_bfc_plan_announced(pool, ret_plan);
}

/* ---- bodies: the known parts of a dump while its lines are assigned ---- */

struct body {
    uint64_t bytes, in_use;
    uint64_t first, last; /* seq of its chunks; 0 = none */
    uint64_t bin_seq;     /* seq of its first bin row */
    uint64_t last_bin_seq;
    uint64_t stats_seq;
    uint64_t end_seq; /* seq of its occupancy line */
    size_t last_chain;
    const struct od_bfc_start *start;
    bool has_start, has_bin_for, has_total, has_pool, has_occupancy, has_late;
    bool solved; /* its chains add up to its stats */
};

struct match {
    const struct od_bfc_pool *pool;
    struct od_bfc_plan *plan;
    struct body *bodies;
    size_t n, room;
    struct od_bfc_sums *sums;
};

static void body_take_chain(struct match *m, size_t b, size_t c)
{
    const struct od_bfc_chain *chain = &m->pool->chains.items[c];
    struct body *body = &m->bodies[b];
    m->plan->chains[c] = (uint32_t)b;
    body->bytes += chain->bytes;
    body->in_use += chain->in_use;
    if (body->first == 0)
        body->first = chain->first.seq;
    if (chain->last.seq > body->last)
        body->last = chain->last.seq;
    body->last_chain = c;
}

/* The dump for a chain that belongs to no solved dump: one whose last region ended before it,
 * otherwise one without regions. */
static size_t body_for_chain(const struct match *m, const struct od_bfc_chain *chain)
{
    size_t fresh = OD_BFC_NOBODY, idle = OD_BFC_NOBODY;
    bool may_be_more = chain->in_use == 0 && m->pool->pools.n == 0;
    for (size_t b = 0; b < m->n; b++) {
        const struct body *body = &m->bodies[b];
        if ((body->solved && !may_be_more) ||
            (body->stats_seq && chain->last.seq > body->stats_seq))
            continue;
        if (body->first == 0) {
            if (fresh == OD_BFC_NOBODY)
                fresh = b;
            continue;
        }
        const struct od_bfc_chain *last = &m->pool->chains.items[body->last_chain];
        if (body->last < chain->first.seq && last->address < chain->address &&
            (idle == OD_BFC_NOBODY || m->bodies[idle].last < body->last))
            idle = b;
    }
    if (idle == OD_BFC_NOBODY && fresh == OD_BFC_NOBODY)
        return m->n < m->room ? m->n : m->room - 1;
    return idle != OD_BFC_NOBODY ? idle : fresh;
}

static void match_chains(struct match *m)
{
    const struct od_bfc_pool *pool = m->pool;
    od_bfc_path_find(pool, m->plan);
    m->n = pool->stats.n < m->room ? pool->stats.n : m->room;
    for (size_t i = 0; i < m->n; i++) {
        m->plan->stats[i] = (uint32_t)i;
        m->bodies[i].stats_seq = pool->stats.items[i].position.seq;
    }
    for (size_t c = 0; c < pool->chains.n; c++)
        if (m->plan->chains[c] != OD_BFC_NOBODY) {
            m->bodies[m->plan->chains[c]].solved = true;
            body_take_chain(m, m->plan->chains[c], c);
        }
    for (size_t c = 0; c < pool->chains.n; c++)
        if (m->plan->chains[c] == OD_BFC_NOBODY) {
            size_t b = body_for_chain(m, &pool->chains.items[c]);
            if (b == m->n)
                m->n++;
            body_take_chain(m, b, c);
        }
    size_t least = pool->first_bins > pool->occupancies.n ? pool->first_bins : pool->occupancies.n;
    if (m->n < least)
        m->n = least < m->room ? least : m->room;
    if (m->n == 0)
        m->n = 1;
}

/* ---- assigning lines to bodies ---- */

static void match_bins(struct match *m)
{
    struct od_bfc_span *spans = od_mem_alloc(m->n, sizeof *spans);
    for (size_t b = 0; b < m->n; b++) {
        uint64_t first = m->bodies[b].first;
        spans[b] = (struct od_bfc_span){0, first ? first : UINT64_MAX};
    }
    od_bfc_order_bins(m->pool, m->sums, spans, m->n, m->plan->bins);
    od_mem_free(spans);
    for (size_t i = 0; i < m->pool->bins.n; i++) {
        if (m->plan->bins[i] == OD_BFC_NOBODY)
            continue;
        struct body *body = &m->bodies[m->plan->bins[i]];
        if (body->bin_seq == 0)
            body->bin_seq = m->pool->bins.items[i].position.seq;
        body->last_bin_seq = m->pool->bins.items[i].position.seq;
    }
}

/* The first line certainly of this dump; a dump may have only its last lines. */
static uint64_t body_begin(const struct body *body)
{
    const uint64_t seqs[] = {body->bin_seq, body->first, body->stats_seq, body->end_seq};
    for (size_t i = 0; i < OD_COUNT_OF(seqs); i++)
        if (seqs[i] != 0)
            return seqs[i];
    return 0;
}

/* The last unassigned start before seq. */
static size_t start_before(const struct match *m, uint64_t seq)
{
    for (size_t i = m->pool->starts.n; i-- > 0;)
        if (m->plan->starts[i] == OD_BFC_NOBODY && m->pool->starts.items[i].position.seq <= seq)
            return i;
    return OD_BFC_NOBODY;
}

/* From the latest dump to the earliest, each gets the last remaining header before it. */
static void match_starts(struct match *m)
{
    for (size_t done = 0; done < m->n; done++) {
        size_t last = OD_BFC_NOBODY;
        for (size_t b = 0; b < m->n; b++)
            if (!m->bodies[b].has_start &&
                (last == OD_BFC_NOBODY || body_begin(&m->bodies[b]) > body_begin(&m->bodies[last])))
                last = b;
        m->bodies[last].has_start = true;
        size_t start = start_before(m, body_begin(&m->bodies[last]));
        if (start == OD_BFC_NOBODY)
            continue;
        m->bodies[last].start = &m->pool->starts.items[start];
        m->plan->starts[start] = (uint32_t)last;
    }
}

static struct od_bytes request_of(const struct od_bfc_start *start)
{
    if (!start)
        return (struct od_bytes){0};
    return start->rounded.known ? start->rounded : start->requested;
}

/* Is there a line "Bin for <the request of start>" between the bins and the chunks of body? */
static bool asks_for(const struct match *m, const struct body *body,
                     const struct od_bfc_start *start)
{
    OD_FOR_EACH (const struct od_bfc_bytes_item, item, m->pool->bin_fors)
        if (item->position.seq > body->last_bin_seq && item->position.seq > start->position.seq &&
            (!body->first || item->position.seq < body->first) &&
            od_bytes_same(request_of(start), item->bytes) != OD_NO)
            return true;
    return false;
}

static bool are_crossed(const struct match *m, const struct body *a, const struct body *b)
{
    return a->start && b->start && !(asks_for(m, a, a->start) && asks_for(m, b, b->start)) &&
           asks_for(m, a, b->start) && asks_for(m, b, a->start);
}

/* Exchanges headers of two dumps with equal first rows if their "Bin for" lines show that they were
 * confused. */
static void uncross_starts(struct match *m)
{
    for (size_t a = 0; a < m->n; a++)
        for (size_t b = a + 1; b < m->n; b++) {
            struct body *x = &m->bodies[a], *y = &m->bodies[b];
            if (!are_crossed(m, x, y))
                continue;
            const struct od_bfc_start *start = x->start;
            x->start = y->start;
            y->start = start;
            m->plan->starts[x->start - m->pool->starts.items] = (uint32_t)a;
            m->plan->starts[y->start - m->pool->starts.items] = (uint32_t)b;
        }
}

/* To the dump with that request whose chunks come next. */
static void match_bin_fors(struct match *m)
{
    for (size_t i = 0; i < m->pool->bin_fors.n; i++) {
        const struct od_bfc_bytes_item *item = &m->pool->bin_fors.items[i];
        size_t best = OD_BFC_NOBODY;
        for (size_t b = 0; b < m->n; b++) {
            const struct body *body = &m->bodies[b];
            if (body->has_bin_for || item->position.seq < body->last_bin_seq ||
                (body->first && item->position.seq > body->first) ||
                od_bytes_same(request_of(body->start), item->bytes) == OD_NO)
                continue;
            if (best == OD_BFC_NOBODY || body->first - 1 < m->bodies[best].first - 1)
                best = b;
        }
        if (best == OD_BFC_NOBODY)
            continue;
        m->bodies[best].has_bin_for = true;
        m->plan->bin_fors[i] = (uint32_t)best;
    }
}

static void match_rows(struct match *m)
{
    struct od_bfc_span *spans = od_mem_alloc(m->n, sizeof *spans);
    for (size_t b = 0; b < m->n; b++) {
        uint64_t before = m->bodies[b].stats_seq;
        spans[b] = (struct od_bfc_span){m->bodies[b].last, before ? before : UINT64_MAX};
    }
    od_bfc_order_rows(m->pool, m->sums, spans, m->n, m->plan->rows);
    od_mem_free(spans);
}

static void match_totals(struct match *m)
{
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < m->pool->totals.n; i++) {
            const struct od_bfc_bytes_item *item = &m->pool->totals.items[i];
            for (size_t b = 0; b < m->n && m->plan->totals[i] == OD_BFC_NOBODY; b++) {
                struct body *body = &m->bodies[b];
                if (body->has_total || item->position.seq < body->last ||
                    (body->stats_seq && item->position.seq > body->stats_seq) ||
                    (exact && od_bytes_same(od_bytes_exact(body->in_use), item->bytes) == OD_NO))
                    continue;
                body->has_total = true;
                m->plan->totals[i] = (uint32_t)b;
            }
        }
}

static bool pool_fits(const struct match *m, size_t b, const struct od_bfc_pool_item *item)
{
    const struct body *body = &m->bodies[b];
    if (body->stats_seq == 0)
        return body->bytes == item->pool.pool.n;
    const struct od_allocator_stats *stats = &m->pool->stats.items[b].stats;
    return (body->first == 0 || body->bytes == item->pool.pool.n) &&
           (!stats->limit.known || !item->pool.limit.known || stats->limit.n == item->pool.limit.n);
}

static void match_pools(struct match *m)
{
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < m->pool->pools.n; i++) {
            const struct od_bfc_pool_item *item = &m->pool->pools.items[i];
            for (size_t b = 0; b < m->n && m->plan->pools[i] == OD_BFC_NOBODY; b++) {
                struct body *body = &m->bodies[b];
                if (body->has_pool || item->position.seq < body->last ||
                    (body->stats_seq && item->position.seq > body->stats_seq) ||
                    (exact && !pool_fits(m, b, item)))
                    continue;
                body->has_pool = true;
                m->plan->pools[i] = (uint32_t)b;
            }
        }
}

static void match_occupancies(struct match *m)
{
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < m->pool->occupancies.n; i++) {
            const struct od_bfc_text_item *item = &m->pool->occupancies.items[i];
            for (size_t b = 0; b < m->n && m->plan->occupancies[i] == OD_BFC_NOBODY; b++) {
                struct body *body = &m->bodies[b];
                if (body->has_occupancy || item->position.seq < body->stats_seq ||
                    item->position.seq < body->last ||
                    (exact && !od_bfc_sums_look_like(m->sums, b, item->text)))
                    continue;
                body->has_occupancy = true;
                body->end_seq = item->position.seq;
                m->plan->occupancies[i] = (uint32_t)b;
            }
        }
}

/* Old dumps end with their request, so requests are assigned in the order in which dumps ended. */
static void match_lates(struct match *m)
{
    for (size_t i = 0; i < m->pool->lates.n; i++) {
        uint64_t before = m->pool->lates.items[i].position.seq;
        size_t best = OD_BFC_NOBODY;
        for (size_t b = 0; b < m->n; b++)
            if (!m->bodies[b].has_late && body_begin(&m->bodies[b]) < before &&
                (best == OD_BFC_NOBODY || m->bodies[b].stats_seq < m->bodies[best].stats_seq))
                best = b;
        if (best == OD_BFC_NOBODY)
            continue;
        m->bodies[best].has_late = true;
        m->plan->lates[i] = (uint32_t)best;
    }
}

void od_bfc_plan_many(const struct od_bfc_pool *pool, struct od_bfc_plan *ret_plan)
{
    plan_init(pool, ret_plan, OD_BFC_NOBODY);
    size_t room = pool->stats.n + pool->first_bins + pool->occupancies.n + OD_BFC_OPEN_CHAINS;
    struct match m = {.pool = pool, .plan = ret_plan, .room = room};
    m.bodies = od_mem_alloc(room, sizeof *m.bodies);
    od_bfc_plan_announced(pool, ret_plan);
    match_chains(&m);
    m.sums = od_bfc_sums_new(pool, ret_plan->chains, m.n);
    match_bins(&m);
    match_occupancies(&m);
    match_starts(&m);
    uncross_starts(&m);
    match_bin_fors(&m);
    match_rows(&m);
    match_totals(&m);
    match_pools(&m);
    match_lates(&m);
    ret_plan->ndumps = m.n;
    od_bfc_sums_free(m.sums);
    od_mem_free(m.bodies);
}
