/*
 * Bin rows of interleaved dumps. A thread prints its 21 rows in order, so rows are strung into
 * series; a series belongs to the dump whose chunks every row of it repeats.
 */
#ifndef OD_READERS_BFC_BINS_H
#define OD_READERS_BFC_BINS_H

#include "readers/bfc_sums.h"

/*
 * ret_owner[i] becomes the dump of bin row i (nobody's stay as they are). begins[d] is the seq of
 * the first chunk of dump d; 0 = it has none, then it takes what is left.
 */
void od_bfc_bins_match(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const uint64_t *begins, size_t ndumps, uint32_t *ret_owner);

#endif
