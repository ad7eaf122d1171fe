/*
 * Special blocks in a config.json: latent attention, mixtures of experts, sliding windows,
 * quantized matrices. Each function sets members of config->t.
 */
#pragma once

#include "models/files/hf_keys.h"

void od_hf_read_latent(struct od_hf_config *config);
void od_hf_read_experts(struct od_hf_config *config);

/* Blocks whose attention is a gated delta rule (Qwen3-Next): their number and widths. */
void od_hf_read_linear(struct od_hf_config *config);

/* Layers with full attention beside those with a window: listed one by one, at fixed distances, or
 * as the family (model_type) defines. */
void od_hf_unfold_layers(struct od_hf_config *c);
void od_hf_read_windows(struct od_hf_config *config, struct od_view type);

/* "quantization_config"; NULL or not an object = none. Unknown bits are reported. */
void od_hf_read_stored(struct od_hf_config *config, json_t *how);

/* A key that shows blocks other than attention and MLP (state spaces, recurrences, linear
 * attention) or different layers, so that other keys are not sufficient; NULL = none. */
const char *od_hf_foreign_block(const struct od_hf_config *config);
