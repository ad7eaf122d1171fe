/*
 * Tensors that can explain a size: those that a described model has at any batch (kernels, biases,
 * tables, statistics), and the outputs of its layers at a batch.
 */
#pragma once

#include "attribute/role.h"
#include "facts/model.h"

#define OD_NO_LAYER UINT32_MAX

struct od_named {
    uint64_t bytes;        /* size as the allocator rounds it */
    uint64_t elements;     /* elements per sample if the tensor has a batch */
    struct od_shape shape; /* unknown = only the bytes are known */
    enum od_dtype dtype;
    struct od_count batch;
    struct od_view label;
    uint32_t layer;
    enum od_role role;
    bool trained;
    bool whole; /* bytes are those of a larger chunk that probably holds the tensor */
};

/* Sorted by bytes; equal tensors in the order of the layers. */
struct od_named_list {
    struct od_named *items; /* in arena */
    size_t n;
    uint64_t bytes;      /* sum of the bytes */
    uint64_t parameters; /* number of parameters in these tensors */
    uint64_t described;  /* number of parameters of the model */
};

/* Lists weights, biases and statistics of a model's layers, as float32 or in the model's own type.
 * Omits layers whose row does not show their parts (nested models, unknown types). */
struct od_named_list od_weights_of(const struct od_model *model, struct od_arena *arena);

/* Copies the list with its bytes in another type, sorted by bytes. */
struct od_named_list od_weights_cast(const struct od_named_list *weights, enum od_dtype dtype,
                                     struct od_arena *arena);

/* Lists the outputs of the layers for one sample in float32, sorted by bytes; `batch` is 1. */
struct od_named_list od_outputs_of(const struct od_model *model, struct od_arena *arena);

/* Lists the outputs for a batch in `dtype`, sorted by bytes. */
struct od_named_list od_outputs_at(const struct od_named_list *of_one, uint64_t batch,
                                   enum od_dtype dtype, struct od_arena *arena);

const struct od_named *od_named_search(const struct od_named_list *list, uint64_t bytes,
                                       size_t *ret_n);

/* Finds the first item of exactly this size and, in *ret_n, the number of equal ones; NULL if none.
 * Called for every chunk; the list is mostly empty. */
static inline const struct od_named *od_named_find(const struct od_named_list *list, uint64_t bytes,
                                                   size_t *ret_n)
{
    *ret_n = 0;
    return list->n > 0 ? od_named_search(list, bytes, ret_n) : NULL;
}
