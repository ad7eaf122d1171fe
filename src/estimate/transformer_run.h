/*
 * One transformer in one mode of running, shared by the files transformer*.c. Bytes are doubles
 * here, because they are predictions; exact sums are with the parameters.
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
    uint64_t trained;     /* part of held that is trained */
    uint64_t untied;      /* additional parameters if the head is not tied to the embedding; 0 =
                             known */
    uint64_t tables;      /* part of held: embeddings and head */
    double batch, tokens; /* of a micro-batch; tokens in a step of a server */
    uint64_t sequence;
    double c;          /* bytes of a computed element */
    double written;    /* tokens that a decoder writes, as a share of those that are read */
    double models;     /* that are trained together */
    double answered;   /* tokens whose logits the loss reads, as a share */
    double loss_bytes; /* loss bytes of each logit in the loss; 0 = as usual */
    double dp;         /* data parallel ranks */
    bool sharded;      /* parameters are sharded (FSDP, ZeRO-3) */
    bool loaded;       /* and were on the device as a whole when the checkpoint was read */
    struct od_arena *arena;
    struct od_estimate *e;
};

/* What differs between users and is stated neither by the model nor by an option (factors.def).
 * KERNELS: share of what moves; PROGRAM, CONVERTED: of the weights;
 * PASS, PROMPT: of a forward pass; ANSWER: of the cache of generated tokens; POOL, LENGTHS: of what
 * comes and goes; LONGEST: of the sequence length; CONTEXT, COLLECTIVES: MiB; LOSS, SAMPLED: bytes
 * of a logit. lo and hi of the shares that are only doubts count from the estimate downwards and
 * upwards, the others from 0. */
enum od_factor {
    OD_FACTOR_KERNELS,
    OD_FACTOR_LOSS,
    OD_FACTOR_PROGRAM,
    OD_FACTOR_SAMPLED,
    OD_FACTOR_PASS,
    OD_FACTOR_ANSWER,
    OD_FACTOR_PROMPT,
    OD_FACTOR_CONVERTED,
    OD_FACTOR_POOL,
    OD_FACTOR_LENGTHS,
    OD_FACTOR_LONGEST,
    OD_FACTOR_CONTEXT,
    OD_FACTOR_COLLECTIVES
};

struct od_range od_transformer_factor(const struct od_transformer_run *run, enum od_factor factor);

/* Distributes the model: pipeline stages share the blocks (the first has the embeddings), tensor
 * parallelism shares everything, expert parallelism the experts. The remaining devices are data
 * parallel ranks. */
void od_transformer_place(struct od_transformer_run *run);

/* Sets run->states; od_transformer_place must have been called. False on overflow. */
bool od_transformer_states(struct od_transformer_run *run);

/* What a server keeps free of weights and cache. */
double od_transformer_set_aside(const struct od_transformer_run *run);

/* Are quantized weights prepared for training as PEFT does it? */
bool od_transformer_prepared(const struct od_transformer_run *run);

/* The share of blocks on the device, if some are in host memory. */
double od_transformer_on_device(const struct od_transformer_run *run);

/* Memory besides the tensors: buffers for casting, sharding and others; the context; the pool's
 * slack. The slack needs the breakdown's activations, gradients and workspace. */
struct od_part od_transformer_workspace(const struct od_transformer_run *run);
struct od_part od_transformer_framework(const struct od_transformer_run *run);
void od_transformer_add_waste(const struct od_transformer_run *run, struct od_breakdown *b);

/* What a pool reserves beyond temporary memory if samples differ in length, as a share of it; zero
 * if they do not, or if nothing suggests it. */
struct od_range od_transformer_varied(const struct od_transformer_run *run);

/* Do the samples of runs like this mostly differ in length, although nothing says so? */
bool od_transformer_often_varied(const struct od_transformer_run *run);

/* Copies of the weights that autocast keeps until the backward pass has read them. */
double od_transformer_gathered(const struct od_transformer_run *run);
double od_transformer_casts(const struct od_transformer_run *run);

/* Live memory besides weights, states and all gradients at the worst moment of the passes; and in
 * the optimizer's step, besides the casts counted in the former. */
double od_transformer_training(const struct od_transformer_run *run);
double od_transformer_step(const struct od_transformer_run *run);

/* Is it unknown whether the last step's gradients are live when the loss is computed? */
bool od_transformer_doubts_gradients(const struct od_transformer_run *run);

/* The logits and what the loss creates from them, at its widest moment. */
double od_transformer_loss(const struct od_transformer_run *run);

/* What one sample saves for the backward pass, including the loss. */
double od_transformer_saved(const struct od_transformer_run *run);

/* The cache of keys and values of the whole batch, and what a forward pass over all tokens of the
 * run needs besides. */
void od_transformer_cache(const struct od_transformer_run *run, struct od_kv_cache *ret_cache);
double od_transformer_forward(const struct od_transformer_run *run);

/* The same as older programs compute it: attention in separate steps with its softmax in float32,
 * and the logits of every token with their copy in float32, as far as nothing contradicts it.
 * Blocks of the one are too small for the other, and both stay in the pool (README of DeepSeek LLM:
 * 7B at 13 batches and lengths). */
double od_transformer_old_forward(const struct od_transformer_run *run);

/* May an older program read the stated prompt? */
bool od_transformer_doubts_release(const struct od_transformer_run *run);

/* The peak besides the weights while a batch is read and answered. */
struct od_range od_transformer_answering(const struct od_transformer_run *run,
                                         const struct od_kv_cache *cache);
