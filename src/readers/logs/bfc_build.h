/*
 * Makes dumps from a pool.
 */
#pragma once

#include "facts/event.h"
#include "readers/logs/bfc_pool.h"

/* Emits one OD_EV_DUMP for each dump in the pool, in the order in which they ended, and empties the
 * pool. A header without lines of a dump gives nothing, and neither does "Stats:" without
 * numbers. */
void od_bfc_build(struct od_bfc_pool *pool, const struct od_sink *sink);

/* Does the pool contain one dump whose chunks add up to its Stats? */
bool od_bfc_build_adds_up(const struct od_bfc_pool *pool);
