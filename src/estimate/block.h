/*
 * Blocks whose layers are not printed (torchinfo stops at a depth): what they keep, derived from
 * their parameters, output and input. Known architectures are recognized by arithmetic; anything
 * else is a guess with a wide range.
 */
#pragma once

#include "estimate/walk.h"

struct od_block {
    bool keeps_in;       /* keeps its input unchanged */
    bool keeps_out;      /* keeps its output, because it ends with an activation */
    uint64_t elements;   /* kept in addition, for one sample */
    uint64_t less, more; /* largest errors of elements */
    uint64_t tensors;    /* number of parameter tensors */
    bool known;          /* an architecture was recognized */
};

/* The activations that the block of a step keeps for its gradient. */
struct od_block od_block_of(const struct od_walk *walk, const struct od_step *step);
