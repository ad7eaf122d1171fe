/*
 * Blocks whose layers are not printed (torchinfo stops at a depth). Derives the tensors that they
 * keep from their parameters, output and input. Known architectures are recognized by arithmetic;
 * any other block is a guess with a wide range.
 */
#pragma once

#include "estimate/walk.h"

struct od_block {
    bool keeps_in;       /* the block keeps its input unchanged */
    bool keeps_out;      /* the block keeps its output, because it ends with an activation */
    uint64_t elements;   /* elements kept in addition, for one sample */
    uint64_t less, more; /* how far elements may be too high or too low */
    uint64_t tensors;    /* number of parameter tensors */
    bool known;          /* an architecture was recognized */
};

/* Finds the activations that the block of a step keeps for its gradient. */
struct od_block od_block_of(const struct od_walk *walk, const struct od_step *step);
