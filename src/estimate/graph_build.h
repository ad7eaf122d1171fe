/*
 * Builds the graph of a training step from a layered model: the forward pass as its framework runs
 * the layers, the backward pass from the tensors that each operation's gradient reads. TensorFlow:
 * the gradients' definitions in python/ops (nn_grad.py, math_grad.py, array_grad.py), kernels that
 * reuse their input's buffer (Relu, BiasAdd, Add, AddN, ReluGrad, Sigmoid, ...), the layout
 * optimizer's transposes; Keras' losses and optimizers. PyTorch: estimate/ops.h.
 */
#pragma once

#include "estimate/estimate.h"
#include "estimate/graph.h"

/* Properties of a step that no text shows. */
struct od_step_habits {
    bool held; /* all gradients are live until the first update: scaling, clipping, replicas */
    unsigned temporary; /* copies of a variable made by its update; 0 = fused */
    bool masks_cast;    /* dropout multiplies by a mask of floats instead of selecting */
    bool filter_first;  /* gradients of weights come before those of inputs */
    bool scratch;       /* convolutions use workspace if they can get it */
    bool bare; /* layers with weights have no hidden activation, because activations have rows */
    bool norms_split;    /* batch statistics are computed in steps, as by Keras 3 without XLA */
    bool onednn;         /* CPU kernels are oneDNN's, without matrices of patches */
    unsigned concurrent; /* number of operations that other threads run at the same time */
    double reserve; /* numbers that a recurrent layer keeps for each unit and step; 0 = usual */
};

/* Builds the graph of a workload's step; for inference only the forward pass. False if the model is
 * insufficient: a row hides layers, or outputs have no size. The caller must call od_graph_done,
 * also on failure. */
bool od_graph_of(const struct od_workload *workload, const struct od_step_habits *habits,
                 uint64_t slots, struct od_arena *arena, struct od_graph *ret_graph);
