/*
 * What one block of a transformer keeps for the backward pass, in bytes for one token. Counted
 * tensor by tensor; each count is next to its tensor in transformer_block.c.
 */
#pragma once

#include "estimate/estimate.h"

/* Which projections LoRA trains. */
struct od_lora_targets {
    bool attention; /* query, key or value */
    bool out, up, down, head;
    uint64_t parameters; /* that the adapters of the whole model add */
};

struct od_block_bytes {
    double saved;      /* in the mode of the workload, without checkpointing */
    double selective;  /* with selective checkpointing */
    double boundary;   /* the block's input, which full checkpointing keeps */
    double replicated; /* of saved: what tensor parallelism without sequence parallelism repeats */
    double scores;     /* of saved: attention's scores and what dropout keeps of them */
    double written;    /* attention's scores, were they kept */
    double dropped;    /* what dropouts keep where their rates are not 0 */
    double steps;      /* of saved, what a GELU that is written out keeps: other programs fuse it */
    double adapter_doubt; /* adapters may keep so much less or more than saved counts */
    bool fused;           /* attention keeps no scores */
};

/* Of one token of a sequence of so many. */
struct od_block_bytes od_block_count(const struct od_workload *workload,
                                     const struct od_lora_targets *lora, uint64_t sequence);

/* The targets by their names (q_proj, c_attn, gate_proj, fc1, w2, ...); none given = query and
 * value, as PEFT does. A name that is none of ours is said. */
struct od_lora_targets od_lora_targets_of(const struct od_workload *workload,
                                          struct od_diags *diags);
