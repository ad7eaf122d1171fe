/*
 * Values of a dump's other lines as computed from its chunks: bin rows, summary rows, the occupancy
 * line. Only used to separate interleaved dumps; the case judges a dump.
 */
#pragma once

#include "readers/logs/bfc_pool.h"

struct od_bfc_sums;

/* For ndumps dumps; owner[c] is the dump of chain c (a number >= ndumps: none). */
struct od_bfc_sums *od_bfc_sums_new(const struct od_bfc_pool *pool, const uint32_t *owner,
                                    size_t ndumps);
void od_bfc_sums_free(struct od_bfc_sums *sums);

/* 0..20, from 256 bytes up to 256 MiB and more. */
unsigned od_bfc_bin_index(uint64_t bytes);

bool od_bfc_sums_have_bin(const struct od_bfc_sums *sums, size_t dump,
                          const struct od_bin_row *row);

/* Does the dump have exactly that many chunks in use of that size? */
bool od_bfc_sums_have_row(const struct od_bfc_sums *sums, size_t dump,
                          const struct od_summary_row *row);

/* Is text the occupancy line of the dump? Waste ('x') is not known and counts as in use. */
bool od_bfc_sums_look_like(const struct od_bfc_sums *sums, size_t dump, struct od_view text);
