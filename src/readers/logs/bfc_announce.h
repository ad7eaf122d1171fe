/* Assigns the "Next region of size N" lines of a pool to its chains. */
#pragma once

#include "readers/logs/bfc_pool.h"

#define OD_BFC_NOBODY UINT32_MAX

/* For each chain of the pool the index of its announcement in pool.regions, or OD_BFC_NOBODY. The
 * caller frees it with od_mem_free. */
uint32_t *od_bfc_announced(const struct od_bfc_pool *pool);
