/*
 * Tensors that can explain a size: those a described model has at any batch (kernels, biases,
 * tables, statistics), and the outputs of its layers at a batch.
 */
#pragma once

#include "attribute/role.h"
#include "facts/model.h"

#define OD_NO_LAYER UINT32_MAX

struct od_named {
    uint64_t bytes;        /* size as the allocator rounds it */
    uint64_t elements;     /* elements of one sample if the tensor has a batch */
    struct od_shape shape; /* !known: only its bytes are */
    enum od_dtype dtype;
    struct od_count batch;
    struct od_view label;
    uint32_t layer;
    enum od_role role;
    bool trained;
    bool whole; /* bytes are those of a larger chunk that it was probably given */
};

/* Sorted by bytes; equal ones in the order of the layers. */
struct od_named_list {
    struct od_named *items; /* in arena */
    size_t n;
    uint64_t bytes;      /* bytes of all */
    uint64_t parameters; /* parameters in these tensors */
    uint64_t described;  /* parameters of the model */
};

/* Weights, biases and statistics of a model's layers, as float32 or in the model's own type. Leaves
 * out layers whose row does not show their parts (nested models, unknown types). */
struct od_named_list od_weights_of(const struct od_model *model, struct od_arena *arena);

/* Copies the tensors with their bytes in another type; sorted by bytes. */
struct od_named_list od_weights_cast(const struct od_named_list *weights, enum od_dtype dtype,
                                     struct od_arena *arena);

/* Outputs of the layers for one sample in float32, one of each (`batch` 1), sorted by bytes. */
struct od_named_list od_outputs_of(const struct od_model *model, struct od_arena *arena);

/* The outputs at a batch, in `dtype`; sorted by bytes. */
struct od_named_list od_outputs_at(const struct od_named_list *of_one, uint64_t batch,
                                   enum od_dtype dtype, struct od_arena *arena);

const struct od_named *od_named_search(const struct od_named_list *list, uint64_t bytes,
                                       size_t *ret_n);

/* The first item of exactly this size, with the number of items from it to the last equal one in
 * *ret_n; NULL if there is none. Called for every chunk, and most logs have no table. */
static inline const struct od_named *od_named_find(const struct od_named_list *list, uint64_t bytes,
                                                   size_t *ret_n)
{
    *ret_n = 0;
    return list->n > 0 ? od_named_search(list, bytes, ret_n) : NULL;
}
