/* Sums the explanations of chunks by role and by size. */
#pragma once

#include "attribute/attribute.h"
#include "attribute/explain.h"

/* Fills sizes and bytes_by_role of a holding whose allocator is set. all: one explanation for each
 * piece. The part of in_use_bytes that the sequence lacks is unknown. Results are in arena and do
 * not refer to the explanations. */
void od_tally(const struct od_sequence *sequence, const struct od_explanation *all,
              struct od_arena *scratch, struct od_arena *arena, struct od_holding *holding);
