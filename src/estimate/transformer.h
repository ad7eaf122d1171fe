/*
 * Transformers known by their dimensions (hidden size, layers, heads, ...). A printed summary is
 * not sufficient, because it omits functional attention and activations.
 */
#pragma once

#include "estimate/estimate.h"

/* Estimates a workload whose model->transformer is known: tensors, states and the peak, like
 * od_estimate. In arena. False with diagnostics if a necessary number is missing or on overflow. */
bool od_estimate_transformer(const struct od_workload *workload, struct od_arena *arena,
                             struct od_diags *diags, struct od_estimate *ret_estimate);

/* Applies the workload's image size, if it has one and the transformer reads images. Uses the side
 * of a square of the same area. */
void od_transformer_resize(struct od_transformer *transformer, const struct od_workload *workload);

/* Adds a sentence to the estimate's assumptions; text must live as long as the arena. */
void od_estimate_assume(struct od_estimate *estimate, struct od_arena *arena, const char *text);
