#include "case/allocator_parts.h"

void od_sum_add(uint64_t *sum, uint64_t n)
{
    if (ckd_add(sum, *sum, n))
        *sum = UINT64_MAX;
}

unsigned od_bin_of(uint64_t bytes)
{
    uint64_t units = bytes / OD_BFC_UNIT;
    unsigned bin = units > 1 ? 63U - (unsigned)__builtin_clzll(units) : 0;
    return bin < OD_BINS ? bin : OD_BINS - 1;
}

uint64_t od_region_listed(const struct od_dump *dump, const struct od_region *region)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < region->nchunks; i++)
        od_sum_add(&sum, dump->chunks.items[region->first_chunk + i].bytes);
    return sum;
}

uint64_t od_region_bytes(const struct od_dump *dump, const struct od_region *region)
{
    return od_bytes_is_exact(region->announced) ? region->announced.n
                                                : od_region_listed(dump, region);
}

uint64_t od_allocator_count_of(const struct od_allocator *allocator, uint64_t bytes)
{
    OD_FOR_EACH_OF (const struct od_size, size, allocator->sizes, allocator->nsizes)
        if (size->bytes == bytes)
            return size->count;
    return 0;
}
