/*
 * Facts about a step of equal blocks, shared by fit/by_blocks.c and fit/blocks_name.c. They are
 * read first from the name of the failed operation, then from the sizes in use.
 */
#pragma once

#include "fit/facts.h"

enum { OD_BLOCKS_MOST = 200 };

struct od_blocks {
    const struct od_fit_facts *facts;
    struct od_view op;
    uint64_t means;  /* bits of enum od_op_meaning for the operation's name */
    uint64_t index;  /* index of the block that failed, from 0 */
    double done;     /* part of that block that was done, 0..1 */
    double scores;   /* share of a block's bytes that grows with the square of the length */
    bool all;        /* all blocks were done */
    bool backward;   /* the forward pass was done */
    bool head;       /* the step ends with scores over the vocabulary */
    uint64_t width;  /* h, width of the model */
    uint64_t copies; /* copies of each weight: the weight and its optimizer states */
    uint64_t n;      /* number of blocks */
    uint64_t tokens, sequence, batch;
    uint64_t vocabulary;
};

/* Reads the operation's name: the block, whether it is in the backward pass or after all blocks,
 * and whether there is a head over the vocabulary. False if it names neither a block nor a part
 * after the blocks. */
bool od_fit_blocks_read_name(struct od_blocks *b);

/* Sets `done` and `scores` from the operation's name. Width and sequence length must be set. */
void od_fit_blocks_find_done(struct od_blocks *b);
