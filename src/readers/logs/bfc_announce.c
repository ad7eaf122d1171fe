#include "readers/logs/bfc_announce.h"

struct sized {
    uint64_t bytes, seq;
    uint32_t index;
};

static int by_size(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* A complete region gets the first line of its size before it. */
static void announce_whole(const struct od_bfc_pool *pool, uint32_t *announced, bool *taken)
{
    size_t n = pool->regions.n, m = pool->chains.n;
    struct sized *sizes = od_mem_alloc(n + m + 1, sizeof *sizes);
    struct sized *whole = sizes + n;
    for (size_t i = 0; i < n; i++)
        sizes[i] = (struct sized){pool->regions.items[i].bytes.n,
                                  pool->regions.items[i].position.seq, (uint32_t)i};
    for (size_t i = 0; i < m; i++)
        whole[i] = (struct sized){pool->chains.items[i].bytes, pool->chains.items[i].first.seq,
                                  (uint32_t)i};
    qsort(sizes, n, sizeof *sizes, by_size);
    qsort(whole, m, sizeof *whole, by_size);
    for (size_t a = 0, c = 0; a < n && c < m;) {
        if (sizes[a].bytes == whole[c].bytes && sizes[a].seq < whole[c].seq) {
            taken[sizes[a].index] = true;
            announced[whole[c++].index] = sizes[a++].index;
        } else if (sizes[a].bytes < whole[c].bytes) {
            a++;
        } else {
            c++;
        }
    }
    od_mem_free(sizes);
}

/* A truncated region gets the last remaining line before it that is large enough. */
static void announce_cut(const struct od_bfc_pool *pool, uint32_t *announced, const bool *taken)
{
    uint32_t *left = od_mem_alloc(pool->regions.n + 1, sizeof *left);
    size_t n = 0, a = 0;
    for (size_t c = 0; c < pool->chains.n; c++) {
        const struct od_bfc_chain *chain = &pool->chains.items[c];
        for (; a < pool->regions.n && pool->regions.items[a].position.seq < chain->first.seq; a++)
            if (!taken[a])
                left[n++] = (uint32_t)a;
        if (announced[c] == OD_BFC_NOBODY && n > 0 &&
            pool->regions.items[left[n - 1]].bytes.n > chain->bytes)
            announced[c] = left[--n];
    }
    od_mem_free(left);
}

uint32_t *od_bfc_announced(const struct od_bfc_pool *pool)
{
    uint32_t *announced = od_mem_alloc(pool->chains.n + 1, sizeof *announced);
    for (size_t c = 0; c < pool->chains.n; c++)
        announced[c] = OD_BFC_NOBODY;
    if (pool->regions.n == 0)
        return announced;
    bool *taken = od_mem_alloc(pool->regions.n, sizeof *taken);
    announce_whole(pool, announced, taken);
    announce_cut(pool, announced, taken);
    od_mem_free(taken);
    return announced;
}
