/*
 * A transformer in one mode of running, shared by the files transformer*.c. Bytes are doubles,
 * because they are predictions; exact sums are with the parameters.
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
    /* copy of w whose world size is the ranks that share parameters (data parallel) */
    struct od_workload local;
    struct od_transformer_params params;
    struct od_lora_targets lora;
    struct od_block_bytes block;
    struct od_states states;
    uint64_t held;    /* number of parameters on this device before data parallel sharding */
    uint64_t trained; /* number of trained parameters in held */
    /* additional parameters if the head is not tied to the embedding; 0 = the model gives it */
    uint64_t untied;
    uint64_t tables;      /* part of held: number of parameters in embeddings and head */
    double batch, tokens; /* samples of a micro-batch; tokens in a server's step */
    uint64_t sequence;
    double c;          /* bytes of a computed element */
    double written;    /* tokens that a decoder writes per token that is read */
    double models;     /* number of models that are trained together */
    double answered;   /* share of the tokens whose logits the loss reads */
    double loss_bytes; /* bytes per logit in the loss; 0 = usual */
    double dp;         /* number of data parallel ranks */
    bool sharded;      /* parameters are sharded (FSDP, ZeRO-3) */
    bool loaded;       /* sharded parameters were on the device as a whole when they were read */
    struct od_arena *arena;
    struct od_estimate *e;
};

/* Differences between programs and users that neither the model nor an option gives (factors.def).
 * KERNELS: share of temporary memory; PROGRAM, CONVERTED: of the weights; PASS, PROMPT: of a
 * forward pass; ANSWER: of the cache of generated tokens; POOL, LENGTHS: of temporary memory;
 * LONGEST: of the sequence length; CONTEXT, COLLECTIVES: MiB; LOSS, SAMPLED: bytes of a logit. lo
 * and hi of shares that are only errors count downwards and upwards from the estimate, those of
 * others from 0. */
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

/* Bytes that a server reserves, not for weights and cache. */
double od_transformer_set_aside(const struct od_transformer_run *run);

/* Are quantized weights prepared for training as by PEFT? */
bool od_transformer_prepared(const struct od_transformer_run *run);

/* Share of blocks on the device, if some are in host memory. */
double od_transformer_on_device(const struct od_transformer_run *run);

/* Memory in addition to the tensors: buffers for casting, sharding and others; the context; the
 * pool's slack. The slack needs the breakdown's activations, gradients and workspace. */
struct od_part od_transformer_workspace(const struct od_transformer_run *run);
struct od_part od_transformer_framework(const struct od_transformer_run *run);
void od_transformer_add_waste(const struct od_transformer_run *run, struct od_breakdown *b);

/* Memory that a pool reserves above temporary memory if samples differ in length, as a share of it.
 * Zero if they do not, or if nothing suggests it. */
struct od_range od_transformer_varied(const struct od_transformer_run *run);

/* Do samples of these runs mostly differ in length, even if lengths are not given? */
bool od_transformer_often_varied(const struct od_transformer_run *run);

/* Bytes of the copies of weights that autocast keeps until the backward pass has read them. */
double od_transformer_gathered(const struct od_transformer_run *run);
double od_transformer_casts(const struct od_transformer_run *run);

/* Live memory besides weights, states and all gradients: at the worst moment of the passes; and in
 * the optimizer's step, besides the casts that the first function includes. */
double od_transformer_training(const struct od_transformer_run *run);
double od_transformer_step(const struct od_transformer_run *run);

/* Is it unknown whether the last step's gradients are live when the loss is computed? */
bool od_transformer_doubts_gradients(const struct od_transformer_run *run);

/* Bytes of the logits and the tensors that the loss computes from them, at its largest moment. */
double od_transformer_loss(const struct od_transformer_run *run);

/* Bytes that one sample saves for the backward pass, including the loss. */
double od_transformer_saved(const struct od_transformer_run *run);

/* The cache of keys and values of the whole batch, and the additional memory of a forward pass over
 * all tokens of the run. */
void od_transformer_cache(const struct od_transformer_run *run, struct od_kv_cache *ret_cache);
double od_transformer_forward(const struct od_transformer_run *run);

/* The same in older programs: attention in separate steps with its softmax in float32, and the
 * logits of every token with their copy in float32, unless a fact contradicts that. Blocks of the
 * one are too small for the other, and both stay in the pool (README of DeepSeek LLM: 7B at 13
 * batches and lengths). */
double od_transformer_old_forward(const struct od_transformer_run *run);

/* May an older program read the given prompt? */
bool od_transformer_doubts_release(const struct od_transformer_run *run);

/* The peak without the weights while a batch is read and answered. */
struct od_range od_transformer_answering(const struct od_transformer_run *run,
                                         const struct od_kv_cache *cache);
