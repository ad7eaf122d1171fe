/*
 * The parameters of a transformer, counted exactly from its numbers. Parts are kept apart where
 * something treats them differently: quantization leaves the embeddings, sharding by tensor splits
 * blocks, by expert the experts.
 */
#pragma once

#include "base/diag.h"
#include "facts/model.h"

struct od_transformer_params {
    uint64_t total;
    uint64_t tables;      /* of total: tables over the vocabulary and positions, the head */
    uint64_t experts;     /* of total: routed experts */
    uint64_t linear;      /* of total: matrices of blocks, which quantization takes */
    uint64_t linear_rows; /* of those matrices */
    uint64_t largest_block;
};

/* False with a diagnostic that names what is missing, or on overflow. */
bool od_transformer_count(const struct od_transformer *t, struct od_diags *diags,
                          struct od_transformer_params *ret_params);

/* Adds what reads images or sound and the projection of its output to the width of the language
 * model. False on overflow, or with a diagnostic that names what is missing. */
bool od_transformer_count_tower(const struct od_transformer *tower, const struct od_transformer *of,
                                struct od_diags *diags, struct od_transformer_params *params);

/* Numbers with the defaults that follow from others. */
uint64_t od_transformer_heads(const struct od_transformer *t);
uint64_t od_transformer_kv_heads(const struct od_transformer *t);
uint64_t od_transformer_head_dim(const struct od_transformer *t);
uint64_t od_transformer_value_dim(const struct od_transformer *t);
uint64_t od_transformer_blocks(const struct od_transformer *t); /* of encoder and decoder */
uint64_t od_transformer_expert_blocks(const struct od_transformer *t);

/* Tensors that the parameters are kept in, as far as an optimizer counts them. */
uint64_t od_transformer_tensors(const struct od_transformer *t);

/* Tokens of one sample of an image or a spectrogram; 0 where the sequence is the caller's. */
uint64_t od_transformer_fixed_tokens(const struct od_transformer *t);
