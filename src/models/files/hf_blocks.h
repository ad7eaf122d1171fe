/*
 * Special blocks in a config.json: latent attention, mixtures of experts, sliding windows,
 * quantized matrices. Each function sets members of config->t.
 */
#pragma once

#include "models/files/hf_keys.h"

void od_hf_read_latent(struct od_hf_config *config);
void od_hf_read_experts(struct od_hf_config *config);

/* Reads number and widths of blocks with a gated delta rule instead of attention (Qwen3-Next). */
void od_hf_read_linear(struct od_hf_config *config);

/* Finds the layers with full attention among those with a window: listed one by one, at fixed
 * distances, or as the family (model_type) defines. */
void od_hf_unfold_layers(struct od_hf_config *c);
void od_hf_read_windows(struct od_hf_config *config, struct od_view type);

/* Reads "quantization_config"; how may be NULL or no object. Reports unknown bits. */
void od_hf_read_stored(struct od_hf_config *config, json_t *how);

/* Returns a key of blocks other than attention and MLP (state spaces, recurrences, linear
 * attention), or of layers that differ. Other keys are then not sufficient. NULL = none. */
const char *od_hf_foreign_block(const struct od_hf_config *config);
