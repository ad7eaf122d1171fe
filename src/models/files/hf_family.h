/*
 * What a Hugging Face config.json leaves to the code of its model_type: biases, kinds of norms,
 * gates, whether the head shares the embedding. One row per family; keys of the file override a
 * row.
 */
#pragma once

#include "facts/model.h"

struct od_hf_family {
    const char *type; /* model_type */
    bool gated, rms_norm, tied, learned_positions, attention_bias, mlp_bias;
    uint32_t traits;
    uint64_t position_rows;
    double dropout; /* default of the class, for hidden layers and attention */
    unsigned fused; /* release of transformers (100 x major + minor) since which a class with
                       OD_TR_EAGER has a fused kernel by default; 0 = none */
};

/* NULL for a model_type without a row. */
const struct od_hf_family *od_hf_family_find(struct od_view type);

/* The family of a class name as modules print it: "XLMRobertaForMaskedLM". */
const struct od_hf_family *od_hf_family_of_class(struct od_view name);
