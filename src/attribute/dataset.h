/*
 * Whole data sets on the device: a chunk that holds many samples of the model's input, or of the
 * array whose hand-over failed.
 */
#pragma once

#include "attribute/weights.h"
#include "case/case.h"

/* One sample; elements 0 = unknown. The first dimension of shape is the batch, of any size. */
struct od_sample {
    uint64_t elements;
    struct od_shape shape;
};

/* From the failing tensor where an array was handed over (may be NULL), else the largest input of
 * the table's outputs. */
struct od_sample od_sample_of(const struct od_tensor *handed_over,
                              const struct od_named_list *outputs);

/* The array of samples that a chunk of so many bytes is; NULL when it is none, or holds hardly more
 * than a batch. */
const struct od_named *od_dataset_of(const struct od_sample *sample, struct od_count batch,
                                     uint64_t bytes, struct od_arena *arena);
