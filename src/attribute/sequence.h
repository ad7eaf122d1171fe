/*
 * The chunks in use in the order of their allocation, as far as the dump shows it.
 *
 * A line's `next K` is the handle of the following chunk, so a chunk's handle is `next` of the line
 * before. The allocator assigns handles when it splits chunks (TSL bfc_allocator.cc, SplitChunk),
 * so tensors of set-up have lower handles than tensors of a step. The first chunk of a region has
 * no line before it; it is the oldest chunk of its region. In a dump without handles and with one
 * region, addresses give the order, because the region is cut from its lower end.
 */
#pragma once

#include "case/allocator.h"

#define OD_NO_CHUNK UINT32_MAX

struct od_piece {
    uint64_t bytes;
    uint32_t chunk; /* index into dump.chunks; OD_NO_CHUNK if only a summary was printed */
    uint32_t size;  /* index into allocator.sizes */
};

struct od_sequence {
    struct od_piece *items; /* in arena; chunks in use only */
    size_t n;
    uint64_t bytes;
    bool ordered; /* false: the order is that of the dump, which shows nothing */
    size_t step;  /* index of the first piece that belongs to a step; n = not known */
};

/* Makes the sequence in O(chunks). Omits chunks whose size is not in the allocator's table. */
struct od_sequence od_sequence_of(const struct od_allocator *allocator, struct od_arena *arena);
