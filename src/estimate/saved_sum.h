/*
 * The sum of the tensors that a layered model saves, shared by saved.c, saved_steps.c and
 * saved_unprinted.c.
 */
#pragma once

#include "estimate/saved.h"
#include "estimate/walk.h"

/* The sum during the walk. */
struct od_saved_sum {
    const struct od_workload *workload;
    struct od_walk walk;
    uint64_t n, below, above;
    uint64_t fixed;
    uint64_t tensors;         /* number of trained parameter tensors */
    uint64_t blocks, guesses; /* rows that hide their layers: recognized ones, others */
    unsigned width;           /* bytes per number of an activation */
    bool functional_relu;
    bool in_place;     /* leaky ReLUs may work in place */
    bool clipped_relu; /* ReLU rows may be ReLU6 */
    bool swish;        /* activation rows without a name may be swish */
    bool rates;        /* rates of dropouts are not printed */
    bool unnamed;      /* some activation rows have no name */
    bool overflow;
};

/* Adds count * each bytes to one of the sum's numbers. Records an overflow. */
void od_saved_add(struct od_saved_sum *sum, uint64_t *to, uint64_t count, uint64_t each);

/* Adds a tensor's storage, once for all layers that keep it. OD_NO_TENSOR adds nothing. */
void od_saved_keep(struct od_saved_sum *sum, uint32_t tensor, unsigned width);

/* Adds the tensors that the layer of a step keeps. */
void od_saved_step(struct od_saved_sum *sum, const struct od_step *step);

/* Number of parameter tensors of an optimizer: weight and bias, scale and shift, a table. */
uint64_t od_saved_parameter_tensors(const struct od_saved_sum *sum, const struct od_step *step);

/* Does the text mark the layer as frozen? */
bool od_layer_is_frozen(const struct od_layer *layer);

/* Is it a container without printed contents? */
bool od_is_block(const struct od_layer *layer);

/* Does the model print no activation, because activations are functions or arguments of layers? */
bool od_hides_relu(const struct od_model *model);

/* May ReLU rows be ReLU(6.0)? Keras prints the same row for both. Networks with depthwise
 * convolutions (MobileNet and similar) use ReLU(6.0) throughout. */
bool od_may_clip(const struct od_model *model);

/* May Activation rows be swish or hard swish? Networks with ReLU(6.0) that also scale their maps by
 * convolutions of a 1x1 map (EfficientNet, MobileNetV3) use these. */
bool od_may_swish(const struct od_model *model);

/* Does the model upsample, as a U-Net does? */
bool od_model_enlarges(const struct od_model *model);

/* Adds products and pools without rows. */
void od_saved_unprinted(struct od_saved_sum *sum);
