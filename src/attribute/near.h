/*
 * Explains a size by the failing tensor, whose shape the log prints: by the tensor itself, the same
 * shape in another type or at half the batch, or another map of the same network (the size is
 * divisible by the batch and a scaled height and width). The odd part of the divisor decides how
 * much a division proves, because weights and activations share powers of two.
 */
#pragma once

#include "attribute/weights.h"
#include "case/case.h"
#include "facts/certainty.h"

enum { OD_NEAR_MOST = 4 };

struct od_near {
    struct od_named *items; /* in arena, best first */
    size_t n;
    enum od_certainty certainty; /* certainty that the chunk is an activation of any layer */
};

/* Finds explanations. The tensor's shape must be known; op labels the tensor itself. */
struct od_near od_near_of(const struct od_tensor *tensor, struct od_count batch, uint64_t bytes,
                          struct od_arena *arena);
