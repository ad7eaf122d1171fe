/*
 * Assigns each record of a pool the number of its dump.
 *
 * Inner lines of a dump have no name, so several dumps in one pool are separated by content: the
 * regions of a dump have increasing times and addresses and add up to its Stats, and all other
 * lines must agree with its chunks. If content allows two answers, the order of arrival decides.
 */
#pragma once

#include "readers/logs/bfc_pool.h"

#define OD_BFC_NOBODY UINT32_MAX

/* One number for each item of the pool's array of that name; OD_BFC_NOBODY = no dump. */
struct od_bfc_plan {
    size_t ndumps;
    uint32_t *starts, *chains, *bins, *bin_fors, *rows, *totals, *pools, *stats, *occupancies;
    uint32_t *lates;
    uint32_t *announced; /* for each chain: index of its announcement in pool.regions */
};

/* Assigns everything to one dump. */
void od_bfc_plan_one(const struct od_bfc_pool *pool, struct od_bfc_plan *ret_plan);

/* Separates several dumps. */
void od_bfc_plan_many(const struct od_bfc_pool *pool, struct od_bfc_plan *ret_plan);

void od_bfc_plan_done(struct od_bfc_plan *plan);

/* Fills plan->announced. */
void od_bfc_plan_announced(const struct od_bfc_pool *pool, struct od_bfc_plan *plan);

/* Assigns chains to the stats blocks that they add up to: sets plan->chains[c] to the index of the
 * block, or OD_BFC_NOBODY. plan->announced must be set. */
void od_bfc_path_find(const struct od_bfc_pool *pool, struct od_bfc_plan *plan);
