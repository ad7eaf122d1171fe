/*
 * What the other lines of a dump must say, computed from its chunks: bin rows, summary rows, the
 * occupancy line. For telling interleaved dumps apart only; judging a dump is the case's work.
 */
#pragma once

#include "readers/logs/bfc_pool.h"

struct od_bfc_sums;

/* For ndumps dumps; owner[c] is the dump of chain c (a number >= ndumps: none). */
struct od_bfc_sums *od_bfc_sums_new(const struct od_bfc_pool *pool, const uint32_t *owner,
                                    size_t ndumps);
void od_bfc_sums_free(struct od_bfc_sums *sums);

/* 0..20: 256 bytes to 256 MiB and more. */
unsigned od_bfc_bin_index(uint64_t bytes);

bool od_bfc_sums_have_bin(const struct od_bfc_sums *sums, size_t dump,
                          const struct od_bin_row *row);

/* Does dump hold just that many chunks in use of that size? */
bool od_bfc_sums_have_row(const struct od_bfc_sums *sums, size_t dump,
                          const struct od_summary_row *row);

/* Is text the occupancy of dump? Waste ('x') cannot be known and counts as in use. */
bool od_bfc_sums_look_like(const struct od_bfc_sums *sums, size_t dump, struct od_view text);
