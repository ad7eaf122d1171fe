/*
 * What a config.json says of blocks out of the ordinary: latent attention, mixtures of experts,
 * windows, matrices that are stored in few bits. Each fills what it finds in config->t.
 */
#pragma once

#include "models/files/hf_keys.h"

void od_hf_read_latent(struct od_hf_config *config);
void od_hf_read_experts(struct od_hf_config *config);

/* Blocks whose attention is a gated delta rule (Qwen3-Next): how many, and their widths. */
void od_hf_read_linear(struct od_hf_config *config);

/* Layers that see everything beside those with a window: listed one by one, every so many, or as
 * the family (model_type) does. */
void od_hf_read_windows(struct od_hf_config *config, struct od_view type);

/* "quantization_config"; NULL or no object = none. One whose bits are not known is said. */
void od_hf_read_stored(struct od_hf_config *config, json_t *how);

/* A key that tells of blocks which are not attention and MLP (state spaces, recurrences, linear
 * attention) or differ from layer to layer, so that nothing follows from the other keys; or NULL.
 */
const char *od_hf_foreign_block(const struct od_hf_config *config);
