/*
 * The exact number of parameters of a transformer. Parts that are treated differently are separate:
 * quantization omits the embeddings, tensor parallelism splits blocks, expert parallelism the
 * experts.
 */
#pragma once

#include "base/diag.h"
#include "facts/model.h"

struct od_transformer_params {
    uint64_t total;
    uint64_t tables;  /* part of total: tables over the vocabulary and positions, the head */
    uint64_t experts; /* part of total: routed experts */
    uint64_t linear;  /* part of total: matrices of blocks, which are quantized */
    uint64_t largest_block;
};

/* Counts the parameters. False with a diagnostic that names a missing number, or on overflow. */
bool od_transformer_count(const struct od_transformer *t, struct od_diags *diags,
                          struct od_transformer_params *ret_params);

/* Adds a tower for images or sound, and the projection of its output to the width of the language
 * model. False on overflow, or with a diagnostic that names a missing number. */
bool od_transformer_count_tower(const struct od_transformer *tower, const struct od_transformer *of,
                                struct od_diags *diags, struct od_transformer_params *params);

/* Numbers whose defaults follow from others. */
uint64_t od_transformer_heads(const struct od_transformer *t);
uint64_t od_transformer_kv_heads(const struct od_transformer *t);
uint64_t od_transformer_head_dim(const struct od_transformer *t);
uint64_t od_transformer_value_dim(const struct od_transformer *t);
/* number of blocks of encoder and decoder together */
uint64_t od_transformer_blocks(const struct od_transformer *t);
uint64_t od_transformer_expert_blocks(const struct od_transformer *t);

/* Number of parameter tensors that an optimizer updates. */
uint64_t od_transformer_tensors(const struct od_transformer *t);

/* Tokens of one image or spectrogram; 0 if the caller determines the sequence. */
uint64_t od_transformer_fixed_tokens(const struct od_transformer *t);
