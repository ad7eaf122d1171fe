/*
 * The bytes per token that a transformer block keeps for the backward pass. Counted tensor by
 * tensor; each count is next to its tensor in transformer_block.c.
 */
#pragma once

#include "estimate/estimate.h"

/* The projections that LoRA trains. */
struct od_lora_targets {
    bool attention; /* query, key or value */
    bool out, up, down, head;
    uint64_t parameters; /* number of parameters that the adapters add to the whole model */
};

struct od_block_bytes {
    double saved;     /* bytes in the workload's mode, without checkpointing */
    double selective; /* bytes with selective checkpointing */
    double boundary;  /* the block's input, kept with full checkpointing */
    /* part of saved that each rank repeats under tensor parallelism without sequence parallelism */
    double replicated;
    double scores;        /* part of saved: attention's scores and their copies for dropout */
    double written;       /* bytes of attention's scores if they were kept */
    double dropped;       /* bytes that dropouts keep if their rates are not 0 */
    double steps;         /* part of saved: a GELU in separate steps, which other programs fuse */
    double adapter_doubt; /* possible error of saved because of adapters */
    bool fused;           /* attention keeps no scores */
};

/* Bytes for one token of a sequence of that length. */
struct od_block_bytes od_block_count(const struct od_workload *workload,
                                     const struct od_lora_targets *lora, uint64_t sequence);

/* Finds the targets by name (q_proj, c_attn, gate_proj, fc1, w2, ...); the default is query and
 * value, as in PEFT. Reports unknown names. */
struct od_lora_targets od_lora_targets_of(const struct od_workload *workload,
                                          struct od_diags *diags);
