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

/* --- a summary row whose count and total contradict each other: which number is right --- */

bool od_row_contradicts(const struct od_summary_row *row)
{
    uint64_t product;
    return row->total.known && (ckd_mul(&product, row->count, row->bytes) ||
                                od_bytes_same(row->total, od_bytes_exact(product)) == OD_NO);
}

bool od_row_counts(const struct od_summary_row *row, uint64_t *ret_least, uint64_t *ret_most)
{
    if (row->bytes == 0)
        return false;
    *ret_least = row->total.lo / row->bytes + (row->total.lo % row->bytes > 0);
    *ret_most = row->total.hi / row->bytes;
    return *ret_least <= *ret_most && *ret_most > 0;
}

/* Finds the only row that contradicts itself and the sum of the others. False if there is not
 * exactly one. */
static bool find_row(const struct od_dump *dump, size_t *ret_row, uint64_t *ret_others)
{
    size_t found = 0;
    *ret_others = 0;
    for (size_t i = 0; i < dump->summary.n; i++) {
        const struct od_summary_row *row = &dump->summary.items[i];
        uint64_t product;
        if (od_row_contradicts(row)) {
            *ret_row = i;
            found++;
        } else if (ckd_mul(&product, row->count, row->bytes) ||
                   ckd_add(ret_others, *ret_others, product)) {
            return false;
        }
    }
    return found == 1;
}

void od_counts_settle(struct od_allocator *a)
{
    struct od_bytes in_use = a->in_use.known ? od_bytes_exact(a->in_use.n) : a->dump.sum_total;
    uint64_t others, least, most;
    size_t i;
    if (a->has_chunks || !in_use.known || !find_row(&a->dump, &i, &others))
        return;
    const struct od_summary_row *row = &a->dump.summary.items[i];
    if (in_use.hi < others || row->bytes == 0)
        return;
    /* number of chunks that fit in addition to the other rows, with less than one chunk left */
    uint64_t n = (in_use.hi - others) / row->bytes;
    bool by_total = od_row_counts(row, &least, &most) && n >= least && n <= most;
    if (n == 0 || (!by_total && n != row->count))
        return;
    uint64_t sum = others + n * row->bytes;
    a->settled = (struct od_settled){
        .known = true, .row = i, .count = n, .rest = in_use.n > sum ? in_use.n - sum : 0};
}

uint64_t od_row_count(const struct od_allocator *a, size_t row)
{
    return a->settled.known && a->settled.row == row ? a->settled.count
                                                     : a->dump.summary.items[row].count;
}

/* --- the verdict --- */

/* The free memory for a request, as far as the dump shows it. */
struct room {
    struct od_bytes largest;  /* largest free chunk that could serve the request */
    struct od_bytes free;     /* sum of all free chunks that could serve the request */
    struct od_bytes growable; /* bytes that the allocator may still request from the driver */
};

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static struct od_bytes up_to(uint64_t most)
{
    return (struct od_bytes){.n = most, .lo = 0, .hi = most, .known = true};
}

static struct od_bytes growable(const struct od_allocator *a, struct od_count pool)
{
    if (a->limit.known && pool.known)
        return od_bytes_exact(minus(a->limit.n, pool.n));
    if (a->dump.available.known)
        return od_bytes_exact(a->dump.available.n);
    return (struct od_bytes){0};
}

static struct room room_of_chunks(const struct od_allocator *a)
{
    uint64_t listed = a->in_use_bytes;
    od_sum_add(&listed, a->free_bytes);
    return (struct room){
        .largest = od_bytes_exact(a->usable.largest),
        .free = od_bytes_exact(a->usable.bytes),
        .growable = growable(a, a->pool.known ? a->pool : od_count_of(listed)),
    };
}

/* Without a complete chunk list only the sum is known: free + growable = limit - in use. */
static struct room room_of_stats(const struct od_allocator *a)
{
    struct room room = {.growable = growable(a, a->pool)};
    if (!a->in_use.known)
        return room;
    if (a->pool.known) {
        room.free = od_bytes_exact(minus(a->pool.n, a->in_use.n));
    } else if (a->limit.known) {
        room.free = up_to(minus(a->limit.n, a->in_use.n));
        if (!room.growable.known)
            room.growable = room.free;
    }
    if (room.free.known)
        room.largest = up_to(room.free.hi);
    /* Allocators that never set this field print 0. */
    if (a->dump.stats.largest_free_block.known && a->dump.stats.largest_free_block.n > 0)
        room.largest = od_bytes_exact(a->dump.stats.largest_free_block.n);
    return room;
}

static enum od_tri fits(struct od_bytes need, struct od_bytes into)
{
    if (!need.known || !into.known)
        return OD_CANNOT_TELL;
    if (need.hi <= into.lo)
        return OD_YES;
    return need.lo > into.hi ? OD_NO : OD_CANNOT_TELL;
}

enum od_verdict od_verdict_of(const struct od_allocator *a)
{
    struct room room = a->chunks_complete ? room_of_chunks(a) : room_of_stats(a);
    const struct {
        struct od_bytes into;
        enum od_verdict verdict;
    } steps[] = {
        {room.largest, OD_VERDICT_FITS},
        {room.growable, OD_VERDICT_DEVICE_REFUSED},
        {room.free, OD_VERDICT_FRAGMENTED},
    };
    for (size_t i = 0; i < OD_COUNT_OF(steps); i++) {
        enum od_tri answer = fits(a->need, steps[i].into);
        /* Not every free chunk of a caching allocator can serve every request, and chunks may have
         * been returned to the driver since. A large free chunk proves nothing. */
        bool may_be_barred = a->dump.family == OD_FAMILY_TORCH && i == 0;
        if (answer == OD_YES)
            return may_be_barred ? OD_VERDICT_UNKNOWN : steps[i].verdict;
        if (answer == OD_CANNOT_TELL)
            return OD_VERDICT_UNKNOWN;
    }
    return OD_VERDICT_EXHAUSTED;
}
