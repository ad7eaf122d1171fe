/*
 * Decides which number is right in a summary row whose count and total contradict each other.
 */
#include "case/allocator_parts.h"

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
    /* as many chunks as fit in beside the other rows; the remainder is smaller than one more */
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
