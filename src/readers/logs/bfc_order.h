/*
 * Assigns lines of interleaved dumps that each dump prints once in a fixed order and that its
 * chunks predict: bin rows and summary rows. Equal lines of two dumps are only distinguished by
 * their neighbors, because the lines of a dump must be in order.
 */
#pragma once

#include "readers/logs/bfc_sums.h"

/* Range of seq for the lines of a dump, exclusive. */
struct od_bfc_span {
    uint64_t after, before;
};

/* Sets ret_owner[i] to the dump of bin row i. Rows that no chunks predict go to dumps that lack
 * that bin, in order of arrival; others are unchanged. */
void od_bfc_order_bins(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const struct od_bfc_span *spans, size_t ndumps, uint32_t *ret_owner);

/* The same for summary rows, but rows that no chunks predict are unchanged. */
void od_bfc_order_rows(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const struct od_bfc_span *spans, size_t ndumps, uint32_t *ret_owner);
