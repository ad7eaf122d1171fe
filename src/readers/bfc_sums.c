#include "readers/bfc_sums.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 21, CELLS = 100 };

struct bin_sum {
    uint64_t chunks, in_use, bytes, bytes_in_use;
};

struct dump_sum {
    struct bin_sum bins[BINS];
    char cells[CELLS];
    uint64_t total; /* bytes of its regions */
};

/* Chunks in use of one size in one dump. */
struct size_sum {
    uint64_t bytes;
    uint64_t count;
    uint32_t dump;
};

struct od_bfc_sums {
    struct dump_sum *dumps;
    size_t ndumps;
    struct size_sum *sizes; /* sorted by dump and bytes */
    size_t nsizes;
};

unsigned od_bfc_bin_index(uint64_t bytes)
{
    unsigned bin = 0;
    while (bin < BINS - 1 && bytes >> (bin + 9) != 0)
        bin++;
    return bin;
}

static void add_to_bin(struct bin_sum *bin, const struct od_chunk *chunk)
{
    bin->chunks++;
    bin->bytes += chunk->bytes;
    if (chunk->in_use) {
        bin->in_use++;
        bin->bytes_in_use += chunk->bytes;
    }
}

static void paint(struct dump_sum *dump, uint64_t offset, uint64_t bytes)
{
    uint64_t first, last;
    if (bytes == 0 || dump->total == 0 || ckd_mul(&first, offset, CELLS) ||
        ckd_mul(&last, offset + (bytes - 1), CELLS))
        return;
    first /= dump->total;
    last /= dump->total;
    for (uint64_t i = first; i <= last && i < CELLS; i++)
        dump->cells[i] = '*';
}

static int by_size(const void *a, const void *b)
{
    const struct size_sum *x = a, *y = b;
    if (x->dump != y->dump)
        return x->dump < y->dump ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Equal neighbours into one. */
static size_t fold_sizes(struct size_sum *sizes, size_t n)
{
    size_t kept = 0;
    qsort(sizes, n, sizeof *sizes, by_size);
    for (size_t i = 0; i < n; i++)
        if (kept > 0 && by_size(&sizes[kept - 1], &sizes[i]) == 0)
            sizes[kept - 1].count++;
        else
            sizes[kept++] = sizes[i];
    return kept;
}

/* Where each chain lies when the regions of its dump are laid end to end. */
static uint64_t *chain_offsets(const struct od_bfc_pool *pool, const uint32_t *owner,
                               struct od_bfc_sums *sums)
{
    uint64_t *offsets = od_mem_alloc(pool->chains.n + 1, sizeof *offsets);
    for (size_t c = 0; c < pool->chains.n; c++)
        if (owner[c] < sums->ndumps) {
            struct dump_sum *dump = &sums->dumps[owner[c]];
            offsets[c] = dump->total;
            dump->total += pool->chains.items[c].bytes;
        }
    return offsets;
}

static void add_run(struct od_bfc_sums *sums, const struct od_bfc_pool *pool,
                    const struct od_bfc_run *run, size_t of, uint64_t offset)
{
    struct dump_sum *dump = &sums->dumps[of];
    uint64_t base = pool->chains.items[run->chain].address;
    for (size_t i = run->first; i < run->first + run->n; i++) {
        const struct od_chunk *chunk = &pool->chunks.items[i];
        add_to_bin(&dump->bins[od_bfc_bin_index(chunk->bytes)], chunk);
        if (!chunk->in_use)
            continue;
        paint(dump, offset + (chunk->address - base), chunk->bytes);
        sums->sizes[sums->nsizes++] =
            (struct size_sum){.bytes = chunk->bytes, .count = 1, .dump = (uint32_t)of};
    }
}

struct od_bfc_sums *od_bfc_sums_new(const struct od_bfc_pool *pool, const uint32_t *owner,
                                    size_t ndumps)
{
    struct od_bfc_sums *sums = od_mem_alloc(1, sizeof *sums);
    sums->ndumps = ndumps;
    sums->dumps = od_mem_alloc(ndumps + 1, sizeof *sums->dumps);
    for (size_t i = 0; i < ndumps; i++)
        memset(sums->dumps[i].cells, '_', CELLS);
    sums->sizes = od_mem_alloc(pool->chunks.n + 1, sizeof *sums->sizes);
    uint64_t *offsets = chain_offsets(pool, owner, sums);
    for (size_t r = 0; r < pool->runs.n; r++) {
        const struct od_bfc_run *run = &pool->runs.items[r];
        if (owner[run->chain] < ndumps)
            add_run(sums, pool, run, owner[run->chain], offsets[run->chain]);
    }
    od_mem_free(offsets);
    sums->nsizes = fold_sizes(sums->sizes, sums->nsizes);
    return sums;
}

void od_bfc_sums_free(struct od_bfc_sums *sums)
{
    if (!sums)
        return;
    od_mem_free(sums->dumps);
    od_mem_free(sums->sizes);
    od_mem_free(sums);
}

bool od_bfc_sums_have_bin(const struct od_bfc_sums *sums, size_t dump, const struct od_bin_row *row)
{
    const struct bin_sum *bin = &sums->dumps[dump].bins[od_bfc_bin_index(row->min_bytes)];
    if (row->free_only)
        return row->chunks == bin->chunks - bin->in_use &&
               od_bytes_same(row->bytes, od_bytes_exact(bin->bytes - bin->bytes_in_use)) != OD_NO;
    return row->chunks == bin->chunks && row->chunks_in_use == bin->in_use &&
           od_bytes_same(row->bytes, od_bytes_exact(bin->bytes)) != OD_NO &&
           od_bytes_same(row->bytes_in_use, od_bytes_exact(bin->bytes_in_use)) != OD_NO;
}

bool od_bfc_sums_have_row(const struct od_bfc_sums *sums, size_t dump,
                          const struct od_summary_row *row)
{
    struct size_sum key = {.bytes = row->bytes, .dump = (uint32_t)dump};
    const struct size_sum *size = bsearch(&key, sums->sizes, sums->nsizes, sizeof key, by_size);
    return size && size->count == row->count;
}

bool od_bfc_sums_look_like(const struct od_bfc_sums *sums, size_t dump, struct od_view text)
{
    if (text.n != CELLS)
        return false;
    for (size_t i = 0; i < CELLS; i++)
        if ((text.p[i] == '_') != (sums->dumps[dump].cells[i] == '_'))
            return false;
    return true;
}
