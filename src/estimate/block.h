/*
 * Blocks whose own layers no row prints (torchinfo stops at a depth): what they keep, from their
 * parameters, output and input. Known plans are recognised by arithmetic; anything else is a
 * guess with a wide interval.
 */
#pragma once

#include "estimate/walk.h"

struct od_block {
    bool keeps_in;       /* its input, as it is */
    bool keeps_out;      /* its output: it ends in an activation */
    uint64_t elements;   /* kept beside, of one sample */
    uint64_t less, more; /* how far that may be off */
    uint64_t tensors;    /* of parameters */
    bool known;          /* a plan was recognised */
};

/* What the block of a step keeps. */
struct od_block od_block_of(const struct od_walk *walk, const struct od_step *step);
