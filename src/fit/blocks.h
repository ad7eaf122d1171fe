/*
 * What is known of a step of equal blocks, shared by the files fit/by_blocks.c and
 * fit/blocks_name.c: read first from the name of the failed operation, then from the sizes in use.
 */
#pragma once

#include "fit/facts.h"

enum { OD_BLOCKS_MOST = 200 };

struct od_blocks {
    const struct od_fit_facts *facts;
    struct od_view op;
    uint64_t means;  /* bits of enum od_op_meaning for the name */
    uint64_t index;  /* index of the block that failed, from 0 */
    double done;     /* finished part of that block, 0..1 */
    double scores;   /* share of a block's bytes that grows with the square of the length */
    bool all;        /* all blocks were finished */
    bool backward;   /* the forward pass was finished */
    bool head;       /* the step ends with scores over the vocabulary */
    uint64_t width;  /* h, the width of the model */
    uint64_t copies; /* copies of each weight: the weight and its optimizer states */
    uint64_t n;      /* number of blocks */
    uint64_t tokens, sequence, batch;
    uint64_t vocabulary;
};

/* Sets what the name shows: the block, whether it is in the backward pass or after all blocks, and
 * whether there is a head over the vocabulary. False if it names neither a block nor a part after
 * the blocks. */
bool od_fit_blocks_read_name(struct od_blocks *b);

/* Sets `done` from the name of the operation, and `scores`. Width and sequence length must be
 * set. */
void od_fit_blocks_find_done(struct od_blocks *b);
