/*
 * Transformers known by their numbers (hidden size, layers, heads, ...): what a block keeps does
 * not follow from a printed summary, which omits functional attention and activations.
 */
#pragma once

#include "estimate/estimate.h"

/* The estimate of a workload whose model->transformer is known: tensors, states and the peak, like
 * od_estimate. Allocated in arena. False with diagnostics if a necessary number is missing or on
 * overflow. */
bool od_estimate_transformer(const struct od_workload *workload, struct od_arena *arena,
                             struct od_diags *diags, struct od_estimate *ret_estimate);

/* Applies the workload's image size, if it has one and the transformer reads images: the side of a
 * square of that area. */
void od_transformer_resize(struct od_transformer *transformer, const struct od_workload *workload);

/* Adds a sentence to the estimate's assumptions; text must live as long as the arena. */
void od_estimate_assume(struct od_estimate *estimate, struct od_arena *arena, const char *text);
