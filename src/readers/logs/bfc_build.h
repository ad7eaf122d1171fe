/* A pool -> the dumps in it. */
#pragma once

#include "facts/event.h"
#include "readers/logs/bfc_pool.h"

/*
 * Emits one OD_EV_DUMP for each dump in pool, in the order in which they ended, and empties the
 * pool. A header without any line of a dump gives nothing, nor does a "Stats:" without numbers.
 */
void od_bfc_build(struct od_bfc_pool *pool, const struct od_sink *sink);

/* Does pool hold one dump whose chunks add up to what its Stats say? */
bool od_bfc_build_adds_up(const struct od_bfc_pool *pool);
