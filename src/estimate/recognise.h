/*
 * Recognizes a transformer in a printed summary or module tree, and reads its width, blocks, heads
 * and vocabulary from the rows. Functional attention has no rows, so rows alone are not sufficient
 * for an estimate.
 */
#pragma once

#include "estimate/estimate.h"

/* True if the layers are an embedding and a stack of equal blocks with attention and an MLP.
 * *ret_sequence is the length in the shapes, 0 if there is none. *ret_guesses are texts about facts
 * that are not printed (allocated in arena; at most OD_GUESSES, ends with NULL). */
enum { OD_GUESSES = 6 };
bool od_transformer_recognise(const struct od_model *model, struct od_transformer *ret_transformer,
                              uint64_t *ret_sequence, const char *ret_guesses[static OD_GUESSES]);

/* Is the model described as a transformer, or do its layers form one? */
bool od_is_transformer(const struct od_model *model);

/* Estimates a workload whose model's layers are a transformer (*ret_is_one). False if they are not,
 * or as od_estimate_transformer. */
bool od_estimate_recognised(const struct od_workload *workload, struct od_arena *arena,
                            struct od_diags *diags, struct od_estimate *ret_estimate,
                            bool *ret_is_one);
