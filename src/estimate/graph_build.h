/*
 * The graph of a training step from a layered model: forward as its framework runs the layers,
 * backward from what each operation's gradient reads. TensorFlow: the gradients' definitions in
 * python/ops (nn_grad.py, math_grad.py, array_grad.py), kernels that forward their input's buffer
 * (Relu, BiasAdd, Add, AddN, ReluGrad, Sigmoid, ...), the layout optimizer's transposes; Keras'
 * losses and optimizers. PyTorch: estimate/ops.h.
 */
#pragma once

#include "estimate/estimate.h"
#include "estimate/graph.h"

/* What a text does not tell of a step. */
struct od_step_habits {
    bool held;          /* all gradients live until the first update: scaling, clipping, replicas */
    unsigned temporary; /* copies of a variable that its update makes; 0 = a fused one */
    bool masks_cast;    /* dropout multiplies by a mask of floats; else it selects */
    bool filter_first;  /* gradients of weights before those of inputs */
    bool scratch;       /* convolutions take workspace where they can */
    bool bare;          /* layers with weights hide no function: those have rows */
    bool norms_split;   /* a batch's statistics by arithmetic: Keras 3 without XLA */
    bool onednn;        /* a processor's kernels without matrices of patches */
    unsigned beside;    /* operations that begin before an independent one is done: threads */
    double reserve;     /* numbers that a recurrent layer keeps for each unit and step; 0 = usual */
};

/* The graph of a workload's step; forward alone when it is inference. False when the model does not
 * tell one: a row that hides layers, outputs without a size. The caller calls od_graph_done (also
 * on failure). */
bool od_graph_of(const struct od_workload *workload, const struct od_step_habits *habits,
                 uint64_t slots, struct od_arena *arena, struct od_graph *ret_graph);
