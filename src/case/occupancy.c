#include "case/allocator_parts.h"

static bool cell_of(uint64_t offset, uint64_t total, uint64_t *ret_cell)
{
    uint64_t scaled;
    if (offset >= total || ckd_mul(&scaled, offset, (uint64_t)OD_OCCUPANCY_CELLS))
        return false;
    *ret_cell = scaled / total;
    return true;
}

/* Marks every cell that the chunk overlaps. */
static bool paint(char cells[static OD_OCCUPANCY_CELLS], uint64_t offset, uint64_t bytes,
                  uint64_t total)
{
    uint64_t end, first, last;
    if (bytes == 0)
        return true;
    if (ckd_add(&end, offset, bytes) || !cell_of(offset, total, &first) ||
        !cell_of(end - 1, total, &last))
        return false;
    memset(cells + first, '*', (size_t)(last - first + 1));
    return true;
}

static bool paint_region(const struct od_dump *dump, const struct od_region *region,
                         uint64_t offset, uint64_t total, char cells[static OD_OCCUPANCY_CELLS])
{
    for (size_t i = 0; i < region->nchunks; i++) {
        const struct od_chunk *chunk = &dump->chunks.items[region->first_chunk + i];
        if (chunk->address < region->address)
            return false;
        uint64_t at;
        if (chunk->in_use && (ckd_add(&at, offset, chunk->address - region->address) ||
                              !paint(cells, at, chunk->bytes, total)))
            return false;
    }
    return true;
}

bool od_occupancy_render(const struct od_dump *dump, uint64_t total,
                         char cells[static OD_OCCUPANCY_CELLS])
{
    uint64_t offset = 0;
    memset(cells, '_', OD_OCCUPANCY_CELLS);
    if (total == 0)
        return false;
    OD_FOR_EACH (const struct od_region, region, dump->regions) {
        if (!paint_region(dump, region, offset, total, cells))
            return false;
        od_sum_add(&offset, od_region_bytes(dump, region));
    }
    return true;
}
