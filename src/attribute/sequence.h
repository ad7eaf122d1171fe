/*
 * The chunks in use in the order of their allocation, as far as the dump shows it.
 *
 * `next K` is the handle of the following chunk, so the handle of a line is `next` of the line
 * before. The allocator assigns handles when it splits chunks (TSL bfc_allocator.cc, SplitChunk),
 * so tensors of set-up have lower handles than tensors of a step. The first chunk of a region has
 * no line before it; it is the oldest of its region. In a dump without handles and with one region,
 * addresses give the order, because the region is cut from its lower end.
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
    bool ordered; /* false: in the order of the dump, which shows nothing */
    size_t step;  /* place of a piece that belongs to a step; n = none is known */
};

/* In O(chunks); chunks whose size is not in the allocator's table are left out. */
struct od_sequence od_sequence_of(const struct od_allocator *allocator, struct od_arena *arena);
