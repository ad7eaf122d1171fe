/*
 * What answer_blocks.c knows of a step of equal blocks: read off the failed operation's name first
 * (answer_blocks_name.c), then off the sizes in use.
 */
#pragma once

#include "fit/facts.h"

enum { OD_BLOCKS_MOST = 200 };

struct od_blocks {
    const struct od_fit_facts *facts;
    struct od_view op;
    uint64_t means;  /* what the name means: od_op_meaning */
    uint64_t index;  /* of the block that failed, from 0 */
    double done;     /* part of it, 0..1 */
    double scores;   /* part of a block's bytes that grows with the square of the length */
    bool all;        /* all blocks were made */
    bool backward;   /* the forward pass was through */
    bool head;       /* a score for every word of the vocabulary ends the step */
    uint64_t width;  /* h */
    uint64_t copies; /* of each weight: itself and optimizer states */
    uint64_t n;      /* blocks */
    uint64_t tokens, sequence, batch;
    uint64_t vocabulary;
};

/* Sets what the name says: which block, whether on the way back, whether behind them all, whether
 * words are scored. False where it names neither a block nor what stands behind them. */
bool od_fit_blocks_read_name(struct od_blocks *b);

/* Sets how much of the block was made, by the name of the operation, and how much of a block are
 * scores. Width and length must be known. */
void od_fit_blocks_find_done(struct od_blocks *b);
