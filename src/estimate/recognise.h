/*
 * A transformer inside a printed summary or module tree: its width, blocks, heads and vocabulary
 * read from the rows. Functional attention has no rows, so the rows alone tell too little.
 */
#pragma once

#include "estimate/estimate.h"

/*
 * True when the layers are an embedding and a stack of equal blocks with attention and an MLP.
 * *ret_sequence is the length that the shapes hold, 0 when they hold none; *ret_guesses are words
 * for what the text does not say (in arena; at most OD_GUESSES, NULL after the last).
 */
enum { OD_GUESSES = 6 };
bool od_transformer_recognise(const struct od_model *model, struct od_transformer *ret_transformer,
                              uint64_t *ret_sequence, const char *ret_guesses[static OD_GUESSES]);

/* Is the model given as a transformer, or do its layers form one? */
bool od_is_transformer(const struct od_model *model);

/* The estimate of a workload whose model's layers are a transformer; *ret_is_one tells. False
 * when it is none, or as od_estimate_transformer. */
bool od_estimate_recognised(const struct od_workload *workload, struct od_arena *arena,
                            struct od_diags *diags, struct od_estimate *ret_estimate,
                            bool *ret_is_one);
