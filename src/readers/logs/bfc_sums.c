#include "readers/logs/bfc_sums.h"

#include "base/index.h"

enum { BINS = 21, CELLS = 100 };

struct bin_sum {
    uint64_t chunks, in_use, bytes, bytes_in_use;
};

struct dump_sum {
    struct bin_sum bins[BINS];
    char cells[CELLS];
    uint64_t total;         /* bytes of all its regions */
    struct od_index in_use; /* size -> number of chunks in use */
};

struct od_bfc_sums {
    struct dump_sum *dumps;
    size_t ndumps;
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

/* Offset of each chain if the regions of its dump are placed one after another. */
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
        od_index_count(&dump->in_use, chunk->bytes);
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
    uint64_t *offsets = chain_offsets(pool, owner, sums);
    OD_FOR_EACH (const struct od_bfc_run, run, pool->runs)
        if (owner[run->chain] < ndumps)
            add_run(sums, pool, run, owner[run->chain], offsets[run->chain]);
    od_mem_free(offsets);
    return sums;
}

void od_bfc_sums_free(struct od_bfc_sums *sums)
{
    if (!sums)
        return;
    for (size_t i = 0; i < sums->ndumps; i++)
        od_index_done(&sums->dumps[i].in_use);
    od_mem_free(sums->dumps);
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
    uint32_t count = od_index_get(&sums->dumps[dump].in_use, row->bytes);
    return count > 0 && count == row->count;
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
