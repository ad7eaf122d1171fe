/*
 * Hyperscan, or Vectorscan, by its interface for plain literals. It promises no order of hits, so
 * a large text is scanned piece by piece and each piece's hits are put in order: memory stays
 * bounded and the 32-bit length of its call is never met.
 */
#include "scan/filter_engine.h"

#include "base/vec.h"

#include <hs.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PIECE = 1 << 18 };

struct engine {
    hs_database_t *database;
    hs_scratch_t *scratch;
    size_t overlap; /* bytes of the piece before that an occurrence can begin in */
    OD_VEC(struct od_filter_hit) hits;
    bool out_of_order;
    size_t base; /* offset of what is being scanned */
    size_t seen; /* ends up to here were reported with the piece before */
};

/*
 * Vectored mode, although each call has one piece: in block mode the library builds, for texts of a
 * few bytes, one more automaton, which takes it 50 ms where the rest takes 4 (400 literals).
 */
static hs_database_t *compile(const struct od_view *literals, size_t n)
{
    const char **texts = od_mem_alloc(n, sizeof *texts);
    size_t *lengths = od_mem_alloc(n, sizeof *lengths);
    unsigned *flags = od_mem_alloc(n, sizeof *flags);
    unsigned *ids = od_mem_alloc(n, sizeof *ids);
    for (size_t i = 0; i < n; i++) {
        texts[i] = literals[i].p;
        lengths[i] = literals[i].n;
        ids[i] = (unsigned)i;
    }
    hs_database_t *database = NULL;
    hs_compile_error_t *error = NULL;
    hs_error_t result = hs_compile_lit_multi(texts, flags, ids, lengths, (unsigned)n,
                                             HS_MODE_VECTORED, NULL, &database, &error);
    hs_free_compile_error(error);
    od_mem_free(texts);
    od_mem_free(lengths);
    od_mem_free(flags);
    od_mem_free(ids);
    return result == HS_SUCCESS ? database : NULL;
}

static void destroy(void *engine)
{
    struct engine *e = engine;
    hs_free_scratch(e->scratch);
    hs_free_database(e->database);
    od_vec_done(&e->hits);
    od_mem_free(e);
}

static void *create(const struct od_view *literals, size_t n)
{
    if (hs_valid_platform() != HS_SUCCESS)
        return NULL;
    struct engine *e = od_mem_alloc(1, sizeof *e);
    e->database = compile(literals, n);
    if (!e->database || hs_alloc_scratch(e->database, &e->scratch) != HS_SUCCESS) {
        destroy(e);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (literals[i].n - 1 > e->overlap)
            e->overlap = literals[i].n - 1;
    }
    return e;
}

static int note_hit(unsigned id, unsigned long long from, unsigned long long to, unsigned flags,
                    void *context)
{
    (void)from;
    (void)flags;
    struct engine *e = context;
    struct od_filter_hit hit = {.literal = id, .end = e->base + (size_t)to};
    if (hit.end <= e->seen)
        return 0;
    if (e->hits.n > 0 && hit.end < e->hits.items[e->hits.n - 1].end)
        e->out_of_order = true;
    od_vec_push(&e->hits, hit);
    return 0;
}

static int by_end(const void *a, const void *b)
{
    const struct od_filter_hit *x = a;
    const struct od_filter_hit *y = b;
    return (x->end > y->end) - (x->end < y->end);
}

static void scan(void *engine, struct od_view text, const struct od_filter_sink *sink)
{
    struct engine *e = engine;
    for (size_t start = 0; start < text.n; start += PIECE) {
        e->base = start > e->overlap ? start - e->overlap : 0;
        e->seen = start;
        e->hits.n = 0;
        e->out_of_order = false;
        size_t end = text.n - start > PIECE ? start + PIECE : text.n;
        const char *piece = text.p + e->base;
        unsigned length = (unsigned)(end - e->base);
        /* Our own callback never stops a scan: what is left are faults of the library. */
        if (hs_scan_vector(e->database, &piece, &length, 1, 0, e->scratch, note_hit, e) !=
            HS_SUCCESS)
            od_mem_die();
        if (e->out_of_order)
            qsort(e->hits.items, e->hits.n, sizeof *e->hits.items, by_end);
        for (size_t i = 0; i < e->hits.n; i++)
            sink->hit(sink->self, e->hits.items[i]);
    }
}

const struct od_filter_methods od_filter_hs = {
    .name = "hyperscan", .create = create, .destroy = destroy, .scan = scan};
