/*
 * Facts that a Hugging Face config.json leaves to the code of its model_type: biases, kinds of
 * norms, gates, whether the head shares the embedding. One row for each family; keys of the file
 * override the row.
 */
#pragma once

#include "facts/model.h"

struct od_hf_family {
    const char *type; /* model_type */
    bool gated, rms_norm, tied, learned_positions, attention_bias, mlp_bias;
    uint32_t traits;
    uint64_t position_rows;
    double dropout; /* the class's default for hidden layers and attention */
    /* first release of transformers (100 x major + minor) whose class with OD_TR_EAGER has a
     * fused kernel by default; 0 = none */
    unsigned fused;
};

/* Finds the family of a model_type; NULL without a row. */
const struct od_hf_family *od_hf_family_find(struct od_view type);

/* Finds the family of a class name as modules print it: "XLMRobertaForMaskedLM". */
const struct od_hf_family *od_hf_family_of_class(struct od_view name);
