/*
 * Whose is what: every record of a pool gets the number of the dump it belongs to.
 *
 * Inner lines of a dump bear no name, so several dumps of one pool are told apart by content:
 * the regions of a dump follow one another in time and in addresses, and
 * add up to its Stats; all other lines must repeat what its chunks say. Where content allows two
 * answers, the order of arrival decides.
 */
#pragma once

#include "readers/logs/bfc_pool.h"

#define OD_BFC_NOBODY UINT32_MAX

/* One number per item of the pool's array of that name; OD_BFC_NOBODY = belongs to none. */
struct od_bfc_plan {
    size_t ndumps;
    uint32_t *starts, *chains, *bins, *bin_fors, *rows, *totals, *pools, *stats, *occupancies;
    uint32_t *lates;
    uint32_t *announced; /* per chain: index of its announcement in pool.regions */
};

/* Everything is one dump's. */
void od_bfc_plan_one(const struct od_bfc_pool *pool, struct od_bfc_plan *ret_plan);

/* Several dumps. */
void od_bfc_plan_many(const struct od_bfc_pool *pool, struct od_bfc_plan *ret_plan);

void od_bfc_plan_done(struct od_bfc_plan *plan);

/* Fills plan->announced. */
void od_bfc_plan_announced(const struct od_bfc_pool *pool, struct od_bfc_plan *plan);

/*
 * Gives chains to the stats blocks whose numbers they add up to: plan->chains[c] becomes the
 * index of the block. Chains that fit none stay OD_BFC_NOBODY. Needs plan->announced.
 */
void od_bfc_path_find(const struct od_bfc_pool *pool, struct od_bfc_plan *plan);
