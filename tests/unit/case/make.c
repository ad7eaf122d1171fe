#include "tests/unit/case/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t make_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ *state >> 33;
    return x * UINT64_C(0xff51afd7ed558ccd) >> 16;
}

struct make_tiling make_random_tiling(uint64_t seed)
{
    static const uint64_t largest[] = {4, 64, 4096, UINT64_C(1) << 21};
    struct make_tiling t = {.nregions = 1 + make_random(&seed) % MAKE_REGIONS};
    uint64_t address = UINT64_C(0x7f1200000000);
    for (size_t r = 0; r < t.nregions; r++) {
        size_t n = 1 + make_random(&seed) % MAKE_CHUNKS;
        t.regions[r].address = address;
        for (size_t i = 0; i < n; i++) {
            uint64_t most = largest[make_random(&seed) % OD_COUNT_OF(largest)];
            int64_t bytes = (int64_t)(256 * (1 + make_random(&seed) % most));
            t.regions[r].chunks[i] = make_random(&seed) % 3 == 0 ? -bytes : bytes;
            address += (uint64_t)bytes;
        }
        address += 1048576;
    }
    return t;
}

struct od_bytes make_printed(uint64_t bytes)
{
    char text[32];
    struct od_bytes printed = {0};
    const char *unit = "KMGTPE";
    if (bytes < 1024) {
        (void)snprintf(text, sizeof text, "%dB", (int)bytes);
    } else {
        uint64_t n = bytes;
        for (; n >= 1048576; n /= 1024)
            unit++;
        (void)snprintf(text, sizeof text, *unit == 'K' ? "%.1f%ciB" : "%.2f%ciB",
                       (double)n / 1024.0, *unit);
    }
    if (!od_bytes_parse(od_view_of(text), OD_UNIT_BINARY, &printed))
        abort();
    return printed;
}

static void add_chunks(struct od_dump *dump, const struct make_tiling *tiling)
{
    for (size_t r = 0; r < tiling->nregions; r++) {
        struct od_region region = {.address = tiling->regions[r].address,
                                   .first_chunk = dump->chunks.n,
                                   .line = 130 + dump->chunks.n,
                                   .ended = true};
        uint64_t address = region.address;
        for (const int64_t *size = tiling->regions[r].chunks; *size != 0; size++) {
            struct od_chunk chunk = {.address = address,
                                     .bytes = (uint64_t)llabs(*size),
                                     .next = size[1] ? OD_HANDLE_UNKNOWN : OD_HANDLE_END,
                                     .line = (uint32_t)(31 + dump->chunks.n),
                                     .in_use = *size > 0};
            od_vec_push(&dump->chunks, chunk);
            address += chunk.bytes;
            region.nchunks++;
        }
        region.announced = od_bytes_exact(address - region.address);
        dump->pool.n += address - region.address;
        od_vec_push(&dump->regions, region);
    }
    dump->pool.known = true;
    dump->memory_limit = dump->pool;
    dump->stats.limit = dump->pool;
    dump->pool_line = 900;
}

static void add_bins(struct od_dump *dump)
{
    for (unsigned b = 0; b < 21; b++) {
        uint64_t least = UINT64_C(256) << b, bytes = 0, used = 0;
        struct od_bin_row row = {.min_bytes = least, .line = 102 + b};
        for (size_t i = 0; i < dump->chunks.n; i++) {
            const struct od_chunk *c = &dump->chunks.items[i];
            if (c->bytes < least || (b < 20 && c->bytes >= 2 * least))
                continue;
            row.chunks++;
            row.chunks_in_use += c->in_use;
            bytes += c->bytes;
            used += c->in_use ? c->bytes : 0;
        }
        row.bytes = make_printed(bytes);
        row.bytes_in_use = make_printed(used);
        od_vec_push(&dump->bins, row);
    }
}

static void add_summary(struct od_dump *dump)
{
    for (size_t i = 0; i < dump->chunks.n; i++) {
        const struct od_chunk *c = &dump->chunks.items[i];
        size_t row = 0;
        if (!c->in_use)
            continue;
        while (row < dump->summary.n && dump->summary.items[row].bytes != c->bytes)
            row++;
        if (row == dump->summary.n)
            od_vec_push(&dump->summary,
                        ((struct od_summary_row){.bytes = c->bytes, .line = 700 + row}));
        dump->summary.items[row].count++;
        dump->stats.in_use.n += c->bytes;
    }
    for (size_t i = 0; i < dump->summary.n; i++) {
        struct od_summary_row *row = &dump->summary.items[i];
        row->total = make_printed(row->count * row->bytes);
    }
    dump->stats.in_use.known = true;
    dump->stats.max_in_use = dump->stats.in_use;
    dump->stats.num_allocs = od_count_of(4711);
    dump->stats.line = 901;
    dump->sum_total = make_printed(dump->stats.in_use.n);
    dump->sum_total_line = 899;
}

/* Each byte range paints all cells it touches; every other chunk has some waste at its end. */
static void add_occupancy(struct od_arena *arena, struct od_dump *dump)
{
    char *cells = od_arena_alloc(arena, 101, 1);
    uint64_t before = 0;
    memset(cells, '_', 100);
    for (size_t r = 0; r < dump->regions.n; r++) {
        const struct od_region *region = &dump->regions.items[r];
        for (size_t i = 0; i < region->nchunks; i++) {
            const struct od_chunk *c = &dump->chunks.items[region->first_chunk + i];
            uint64_t first = before + (c->address - region->address);
            uint64_t wanted = i % 2 ? c->bytes : c->bytes - 100;
            for (unsigned cell = 0; c->in_use && cell < 100; cell++) {
                bool wasted = (first + wanted) * 100 / dump->pool.n <= cell &&
                              (first + c->bytes - 1) * 100 / dump->pool.n >= cell;
                bool used = first * 100 / dump->pool.n <= cell &&
                            (first + wanted - 1) * 100 / dump->pool.n >= cell;
                if (used || (wasted && wanted < c->bytes))
                    cells[cell] = used ? '*' : 'x';
            }
        }
        before += region->announced.n;
    }
    dump->occupancy = (struct od_view){cells, 100};
    dump->occupancy_line = 910;
}

struct od_dump make_dump(struct od_arena *arena, const struct make_tiling *tiling)
{
    struct od_dump dump = {
        .at = {.nlines = 811, .line = 100}, .allocator = OD_VIEW("GPU_0_bfc"), .has_header = true};
    dump.requested = dump.rounded = od_bytes_exact(UINT64_C(1) << 40);
    add_chunks(&dump, tiling);
    add_bins(&dump);
    add_summary(&dump);
    add_occupancy(arena, &dump);
    return dump;
}
