/*
 * The sum of what a layered model saves, as saved.c, saved_steps.c and saved_doubts.c share it.
 */
#pragma once

#include "estimate/saved.h"
#include "estimate/walk.h"

/* The sum being made. */
struct od_saved_sum {
    const struct od_workload *workload;
    struct od_walk walk;
    uint64_t n, below, above;
    uint64_t fixed;
    uint64_t tensors;         /* of trained parameters */
    uint64_t blocks, guesses; /* rows that hide their layers: recognised, not recognised */
    unsigned width;           /* of an activation */
    bool functional_relu;
    bool in_place;      /* leaky ReLUs may work in place */
    bool clipped_relu;  /* ReLU rows may be ReLU6 */
    bool swish;         /* so are rows of an activation without a name */
    bool rates;         /* of dropouts are not printed */
    bool unnamed;       /* there are rows of an activation without a name */
    uint64_t assumed;   /* elements of the largest tensor that an assumed activation keeps */
    struct od_view own; /* a module that may call functions; empty = none */
    bool overflow;
};

/* Adds so many times each bytes to one of the sum's numbers; notes an overflow. */
void od_saved_add(struct od_saved_sum *sum, uint64_t *to, uint64_t count, uint64_t each);

/* A storage is kept once, whoever keeps it. OD_NO_TENSOR keeps nothing. */
void od_saved_keep(struct od_saved_sum *sum, uint32_t tensor, unsigned width);

/* What the layer of a step keeps. */
void od_saved_step(struct od_saved_sum *sum, const struct od_step *step);

/* Weight and bias, scale and shift, one table: tensors of parameters that an optimizer sees. */
uint64_t od_saved_parameter_tensors(const struct od_saved_sum *sum, const struct od_step *step);

/* The text says that nothing of it is trained. */
bool od_layer_is_frozen(const struct od_layer *layer);

/* A holder that holds nothing printed. */
bool od_is_block(const struct od_layer *layer);

/* No activation anywhere: it is called as a function, or is an argument of the layers. */
bool od_hides_relu(const struct od_model *model);

/* Keras prints the same row for ReLU and for ReLU(6.0), which networks of depthwise convolutions
 * (MobileNet and its kin) use throughout. */
bool od_may_clip(const struct od_model *model);

/* Of those, networks that scale their maps by convolutions of a 1x1 map (EfficientNet, MobileNetV3)
 * use swish or its hard form, both of which Keras prints as Activation. */
bool od_may_swish(const struct od_model *model);

/* Is there a way up again, as in a U-Net? */
bool od_model_enlarges(const struct od_model *model);

/* Products and pools that no row prints. */
void od_saved_unprinted(struct od_saved_sum *sum);

/* What modules of somebody's own may keep beside their rows, into the range. */
void od_saved_doubts(struct od_saved_sum *sum);
