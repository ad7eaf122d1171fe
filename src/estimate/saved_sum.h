/*
 * The sum of what a layered model saves, shared by saved.c, saved_steps.c and saved_unprinted.c.
 */
#pragma once

#include "estimate/saved.h"
#include "estimate/walk.h"

/* The sum under construction. */
struct od_saved_sum {
    const struct od_workload *workload;
    struct od_walk walk;
    uint64_t n, below, above;
    uint64_t fixed;
    uint64_t tensors;         /* number of trained parameter tensors */
    uint64_t blocks, guesses; /* rows that hide their layers: recognized, not recognized */
    unsigned width;           /* bytes of an activation's number */
    bool functional_relu;
    bool in_place;     /* leaky ReLUs may work in place */
    bool clipped_relu; /* ReLU rows may be ReLU6 */
    bool swish;        /* rows of an activation without a name may be swish */
    bool rates;        /* rates of dropouts are not printed */
    bool unnamed;      /* there are rows of an activation without a name */
    bool overflow;
};

/* Adds count * each bytes to one of the sum's numbers; records an overflow. */
void od_saved_add(struct od_saved_sum *sum, uint64_t *to, uint64_t count, uint64_t each);

/* A storage is counted once, no matter how many layers keep it. OD_NO_TENSOR keeps nothing. */
void od_saved_keep(struct od_saved_sum *sum, uint32_t tensor, unsigned width);

/* Adds what the layer of a step keeps. */
void od_saved_step(struct od_saved_sum *sum, const struct od_step *step);

/* Number of parameter tensors that an optimizer sees: weight and bias, scale and shift, one
 * table. */
uint64_t od_saved_parameter_tensors(const struct od_saved_sum *sum, const struct od_step *step);

/* Does the text mark the layer as frozen? */
bool od_layer_is_frozen(const struct od_layer *layer);

/* Is it a container without printed contents? */
bool od_is_block(const struct od_layer *layer);

/* Does the model print no activation, because activations are functions or arguments of layers? */
bool od_hides_relu(const struct od_model *model);

/* Keras prints the same row for ReLU and for ReLU(6.0), which networks with depthwise convolutions
 * (MobileNet and similar) use throughout. */
bool od_may_clip(const struct od_model *model);

/* Among those, networks that scale their maps by convolutions of a 1x1 map (EfficientNet,
 * MobileNetV3) use swish or hard swish, both of which Keras prints as Activation. */
bool od_may_swish(const struct od_model *model);

/* Does the model upsample, as a U-Net does? */
bool od_model_enlarges(const struct od_model *model);

/* Adds products and pools without rows. */
void od_saved_unprinted(struct od_saved_sum *sum);
