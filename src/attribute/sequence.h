/*
 * The chunks in use in the order in which the program allocated them, as far as the dump tells it.
 *
 * `next K` names the handle of the following chunk, so each line's own handle is the line before's
 * `next`. Handles are given out as the allocator splits (TSL bfc_allocator.cc, SplitChunk), so the
 * tensors of set-up have lower ones than the tensors of a step. The first chunk of a region has no
 * line before it: it is the oldest of its region. Where a dump has no handles but one region the
 * addresses stand for them: that region is cut from its lower end.
 */
#pragma once

#include "case/allocator.h"

#define OD_NO_CHUNK UINT32_MAX

struct od_piece {
    uint64_t bytes;
    uint32_t chunk; /* into dump.chunks; OD_NO_CHUNK where only the summary was printed */
    uint32_t size;  /* into allocator.sizes */
};

struct od_sequence {
    struct od_piece *items; /* in arena; chunks in use only */
    size_t n;
    uint64_t bytes;
    bool ordered; /* else in order of the dump, which tells nothing */
    size_t step;  /* this piece is known to be a step's; n = none is known */
};

/* In O(chunks); chunks whose size is not in the allocator's table are left out. */
struct od_sequence od_sequence_of(const struct od_allocator *allocator, struct od_arena *arena);
