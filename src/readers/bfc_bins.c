#include "readers/bfc_bins.h"

#include "base/mem.h"

enum { SERIES = 64, DUMPS = 64, NONE = -1 };

/* Rows of one dump, in the order of bins. */
struct series {
    uint64_t may_be; /* bit a dump */
    uint64_t last_seq;
    unsigned last_bin;
};

struct strung {
    const struct od_bfc_pool *pool;
    const struct od_bfc_sums *sums;
    const uint64_t *begins;
    size_t ndumps;
    struct series series[SERIES];
    int dump_of[SERIES];
    size_t n;
    uint64_t taken; /* dumps that have a series */
};

static unsigned count_bits(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

/* Dumps whose chunks say the same as that row; all when none does. */
static uint64_t dumps_like(const struct strung *s, const struct od_bfc_bin_item *item)
{
    uint64_t like = 0;
    for (size_t d = 0; d < s->ndumps; d++)
        if (s->begins[d] > item->seat.seq && od_bfc_sums_have_bin(s->sums, d, &item->row))
            like |= UINT64_C(1) << d;
    return like ? like : UINT64_MAX;
}

/* The series it goes on with: the one that leaves least doubt, then the one that waits longest. */
static int series_for(const struct strung *s, unsigned bin, uint64_t like)
{
    int best = NONE;
    for (size_t i = 0; i < s->n; i++) {
        const struct series *x = &s->series[i];
        if (x->last_bin + 1 != bin || (x->may_be & like) == 0)
            continue;
        if (best != NONE) {
            const struct series *y = &s->series[best];
            unsigned doubt = count_bits(x->may_be & like), least = count_bits(y->may_be & like);
            if (doubt > least || (doubt == least && x->last_seq > y->last_seq))
                continue;
        }
        best = (int)i;
    }
    return best;
}

static int new_series(struct strung *s)
{
    if (s->n == SERIES)
        return NONE;
    s->series[s->n] = (struct series){.may_be = UINT64_MAX};
    s->dump_of[s->n] = NONE;
    return (int)s->n++;
}

static void string_rows(struct strung *s, int *series_of)
{
    for (size_t i = 0; i < s->pool->bins.n; i++) {
        const struct od_bfc_bin_item *item = &s->pool->bins.items[i];
        unsigned bin = od_bfc_bin_index(item->row.min_bytes);
        uint64_t like = dumps_like(s, item);
        int at = bin > 0 ? series_for(s, bin, like) : NONE;
        if (at == NONE)
            at = new_series(s);
        series_of[i] = at;
        if (at == NONE)
            continue;
        s->series[at].may_be &= like;
        s->series[at].last_bin = bin;
        s->series[at].last_seq = item->seat.seq;
    }
}

static uint64_t choices(const struct strung *s, size_t series)
{
    uint64_t all = s->ndumps < DUMPS ? (UINT64_C(1) << s->ndumps) - 1 : UINT64_MAX;
    uint64_t left = s->series[series].may_be & all & ~s->taken;
    for (size_t d = 0; d < s->ndumps; d++)
        if (s->begins[d] < s->series[series].last_seq)
            left &= ~(UINT64_C(1) << d);
    return left;
}

/* The dump among them whose chunks begin first. */
static int earliest(const struct strung *s, uint64_t dumps)
{
    int best = NONE;
    for (size_t d = 0; d < s->ndumps; d++)
        if (dumps >> d & 1 && (best == NONE || s->begins[d] < s->begins[best]))
            best = (int)d;
    return best;
}

/* Series with the fewest choices first. */
static void give_series(struct strung *s)
{
    for (;;) {
        int next = NONE;
        unsigned fewest = DUMPS + 1;
        for (size_t i = 0; i < s->n; i++) {
            unsigned n = s->dump_of[i] == NONE ? count_bits(choices(s, i)) : 0;
            if (n > 0 && n < fewest) {
                fewest = n;
                next = (int)i;
            }
        }
        if (next == NONE)
            return;
        s->dump_of[next] = earliest(s, choices(s, (size_t)next));
        s->taken |= UINT64_C(1) << s->dump_of[next];
    }
}

/* What fits no chunks goes to dumps that have none, in order. */
static void give_rest(struct strung *s)
{
    size_t d = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->dump_of[i] != NONE)
            continue;
        while (d < s->ndumps && (s->taken >> d & 1 || s->begins[d] != 0))
            d++;
        if (d == s->ndumps)
            return;
        s->dump_of[i] = (int)d;
        s->taken |= UINT64_C(1) << d;
    }
}

void od_bfc_bins_match(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const uint64_t *begins, size_t ndumps, uint32_t *ret_owner)
{
    struct strung *s = od_mem_alloc(1, sizeof *s);
    s->pool = pool;
    s->sums = sums;
    s->begins = begins;
    s->ndumps = ndumps < DUMPS ? ndumps : DUMPS;
    int *series_of = od_mem_alloc(pool->bins.n + 1, sizeof *series_of);
    string_rows(s, series_of);
    give_series(s);
    give_rest(s);
    for (size_t i = 0; i < pool->bins.n; i++)
        if (series_of[i] != NONE && s->dump_of[series_of[i]] != NONE)
            ret_owner[i] = (uint32_t)s->dump_of[series_of[i]];
    od_mem_free(series_of);
    od_mem_free(s);
}
