/*
 * The tensors of a layered model: one storage for each output, and the inputs of every layer.
 * Connections printed in a table are followed; otherwise the input is the newest tensor, unless the
 * layer's parameters or output show another one (a side branch, a concatenation). Sizes are for one
 * sample, in elements.
 */
#pragma once

#include "estimate/estimate.h"

#define OD_NO_TENSOR UINT32_MAX

struct od_walk_tensor {
    uint64_t elements;
    uint64_t slack;    /* maximum error of elements: a size may be printed with two digits */
    uint64_t channels; /* dimension 1 of a map, otherwise the last dimension; 0 = not known */
    bool map;          /* the tensor has a height and a width */
    bool kept;
    bool hidden; /* no row prints the tensor: a concatenation, a product, the model's input */
};

struct od_step {
    uint32_t layer;
    uint32_t in; /* tensors; OD_NO_TENSOR = not known */
    uint32_t out;
    uint32_t holder; /* index of the enclosing layer; OD_NO_TENSOR = none */
    uint32_t pooled; /* a map kept by a pool that is called as a function; OD_NO_TENSOR = none */
    uint32_t first_more; /* index in od_walk.more of further inputs (other factors of a product) */
    uint32_t nmore;
};

struct od_walk {
    const struct od_model *model;
    OD_VEC(struct od_walk_tensor) tensors;
    OD_VEC(struct od_step) steps; /* one for each leaf, in the order of the text */
    OD_VEC(uint32_t) more;
    OD_VEC(uint32_t) scaled;  /* tensors multiplied by a parameter without a row */
    OD_VEC(uint32_t) gates;   /* tensors that are factors of products without a row */
    OD_VEC(uint32_t) holders; /* open containers of an indented table */
    uint32_t *output_of;      /* tensor of each layer; OD_NO_TENSOR = none */
    uint32_t newest;
    uint64_t unsized; /* number of leaves without a shape */
    uint32_t first_unsized;
};

/* Walks through a model's layers; call od_walk_done. Arrays in arena live as long as it. */
void od_walk_init(struct od_walk *walk, const struct od_model *model, struct od_arena *arena);
void od_walk_done(struct od_walk *walk);

/* Does the type drop whole branches, by one number per sample? */
bool od_drops_branch(struct od_view type);

/* Number of elements of a layer's output for one sample. False if not known, or on overflow. */
bool od_layer_elements(const struct od_model *model, const struct od_shape *shape,
                       uint64_t *ret_elements);
