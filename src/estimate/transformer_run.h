/*
 * One transformer in one mode of running, as the files transformer*.c share it.
 * Bytes are doubles here: predictions; exact sums stay with the parameters.
 */
#pragma once

#include "estimate/estimate.h"
#include "estimate/range.h"
#include "estimate/states.h"
#include "estimate/transformer_block.h"
#include "estimate/transformer_params.h"

struct od_transformer_run {
    const struct od_workload *w;
    const struct od_transformer *t;
    struct od_workload local; /* w with the ranks that share parameters (data parallel) */
    struct od_transformer_params params;
    struct od_lora_targets lora;
    struct od_block_bytes block;
    struct od_states states;
    uint64_t held;        /* parameters of the model on this device before data parallel sharding */
    uint64_t trained;     /* of them */
    uint64_t towers;      /* of all parameters: what reads images or sound */
    uint64_t untied;      /* parameters more, if the head is not the embedding; 0 = no doubt */
    uint64_t tables;      /* of held: tables and head */
    double batch, tokens; /* of a micro-batch; tokens of a step of a server */
    uint64_t sequence;
    double c;     /* bytes of a computed element */
    double dp;    /* data parallel ranks */
    bool sharded; /* parameters are (FSDP, ZeRO-3) */
    bool loaded;  /* and were whole on the device when the checkpoint was read */
    struct od_arena *arena;
    struct od_estimate *e;
};

/* Pipeline stages share the blocks (the first has the tables), tensor parallelism shares
 * everything, expert parallelism the experts. Data parallel ranks are what is left of the world. */
void od_transformer_place(struct od_transformer_run *run);

/* Sets run->states, of a run that is placed. False on overflow. */
bool od_transformer_states(struct od_transformer_run *run);

/* The share of the blocks that is on the device, where some are in host memory. */
double od_transformer_on_device(const struct od_transformer_run *run);

/* Beside the tensors: buffers of casting, sharding and the like; the context; the pool's slack. The
 * slack wants the breakdown's activations, gradients and workspace. */
struct od_part od_transformer_workspace(const struct od_transformer_run *run);
struct od_part od_transformer_framework(const struct od_transformer_run *run);
void od_transformer_add_waste(const struct od_transformer_run *run, struct od_breakdown *b);

/* What a pool reserves beyond what comes and goes where samples differ in length, as a share of it;
 * zero where they do not, or where nothing suggests it. */
struct od_range od_transformer_varied(const struct od_transformer_run *run);

/* Copies of the weights that autocast keeps until the backward pass has read them. */
double od_transformer_casts(const struct od_transformer_run *run);

/* What lives beyond weights, states and all gradients at the worst moment of the passes; and in the
 * optimizer's step, beyond what the first counts of casts. */
double od_transformer_training(const struct od_transformer_run *run);
double od_transformer_step(const struct od_transformer_run *run);

/* Is it not known whether the gradients of the last step live when the loss is computed? */
bool od_transformer_doubts_gradients(const struct od_transformer_run *run);

/* The logits and what the loss makes of them, at its widest moment. */
double od_transformer_loss(const struct od_transformer_run *run);

/* Saved by one sample for backward, the loss with it. */
double od_transformer_saved(const struct od_transformer_run *run);

/* The cache of keys and values of the whole batch, and what a forward pass over all tokens of the
 * run needs besides. */
void od_transformer_cache(const struct od_transformer_run *run, struct od_kv_cache *ret_cache);
double od_transformer_forward(const struct od_transformer_run *run);

/* The peak beyond the weights while a batch is read and answered. */
struct od_range od_transformer_answering(const struct od_transformer_run *run,
                                         const struct od_kv_cache *cache);
