/*
 * What a tensor's shape and operation tell about it: is it a weight or an activation, which
 * dimension is the batch, what one sample of it takes. Judgement from conventions of the
 * frameworks, never proof.
 */
#pragma once

#include "facts/meaning.h"
#include "facts/shape.h"

enum od_tensor_role {
    OD_TENSOR_UNKNOWN,
    OD_TENSOR_ACTIVATION, /* its first dimension grows with the batch */
    OD_TENSOR_WEIGHT,     /* a parameter, its gradient or its optimizer state */
    OD_TENSOR_SCRATCH     /* raw bytes of a library */
};

struct od_shape_hint {
    enum od_tensor_role role;
    bool image_like;   /* one sample has two spatial dimensions or more */
    bool dataset_like; /* thousands of samples of raw input in one array */
    bool pairs;        /* its first two dimensions are one large count: each with each */
    bool restored;     /* made while a checkpoint is loaded */
    bool constant;     /* an array handed over whole by the program */
    struct od_count batch;
    struct od_bytes per_sample;
};

/* batch: the batch size that the log states, or unknown. op: what the name of the operation means.
 */
struct od_shape_hint od_shape_hint_of(const struct od_shape *shape, enum od_dtype dtype,
                                      uint64_t op, struct od_count batch);

/* The k of the largest "word_k" segment of a path ("training_3/Adam" and "training" give 3);
 * 0 when there is none. */
uint64_t od_op_suffix(struct od_view op, struct od_view word);
