/*
 * Lines of interleaved dumps that each dump prints once, in a fixed order, and that its chunks
 * foretell: bin rows and summary rows. Equal lines of two dumps can only be told apart by their
 * neighbours: a dump's lines must come in its order.
 */
#pragma once

#include "readers/logs/bfc_sums.h"

/* Where the lines of a dump must lie, in seq, exclusive. */
struct od_bfc_span {
    uint64_t after, before;
};

/*
 * ret_owner[i] becomes the dump of bin row i. What no chunks foretell goes to dumps that lack
 * that bin, in order of arrival; the rest stays as it is.
 */
void od_bfc_order_bins(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const struct od_bfc_span *spans, size_t ndumps, uint32_t *ret_owner);

/* The same for summary rows, but what no chunks foretell stays as it is. */
void od_bfc_order_rows(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const struct od_bfc_span *spans, size_t ndumps, uint32_t *ret_owner);
