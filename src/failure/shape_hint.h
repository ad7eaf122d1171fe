/*
 * What a tensor's shape and operation suggest: weight or activation, the dimension of the batch,
 * and the size of a sample. From conventions of the frameworks, never proof.
 */
#pragma once

#include "facts/meaning.h"
#include "facts/shape.h"

enum od_tensor_role {
    OD_TENSOR_UNKNOWN,
    OD_TENSOR_ACTIVATION, /* its first dimension grows with the batch */
    OD_TENSOR_WEIGHT,     /* a parameter, its gradient or its optimizer state */
    OD_TENSOR_SCRATCH     /* scratch memory of a library */
};

struct od_shape_hint {
    enum od_tensor_role role;
    bool image_like;   /* a sample has at least two spatial dimensions */
    bool dataset_like; /* thousands of raw input samples in one array */
    bool pairs;        /* the first two dimensions are the same large number: all pairs */
    bool restored;     /* created while a checkpoint was loaded */
    bool constant;     /* an array that the program passes as a constant */
    struct od_count batch;
    struct od_bytes per_sample;
};

/* batch: the batch size in the log, or unknown. op: bits of enum od_op_meaning. */
struct od_shape_hint od_shape_hint_of(const struct od_shape *shape, enum od_dtype dtype,
                                      uint64_t op, struct od_count batch);

/* The largest k of the "word_k" segments of a path (3 for "training_3/Adam" and word "training"); 0
 * = none. */
uint64_t od_op_suffix(struct od_view op, struct od_view word);
