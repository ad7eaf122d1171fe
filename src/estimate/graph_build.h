/*
 * The graph of a training step from a layered model: forward as its framework runs the layers,
 * backward from what each operation's gradient reads. TensorFlow: the gradients' definitions in
 * python/ops (nn_grad.py, math_grad.py, array_grad.py), kernels that forward their input's buffer
 * (Relu, BiasAdd, Add, AddN, ReluGrad, Sigmoid, ...), the layout optimizer's transposes; Keras'
 * losses and optimizers. PyTorch: estimate/ops.h.
 */
#ifndef OD_ESTIMATE_GRAPH_BUILD_H
#define OD_ESTIMATE_GRAPH_BUILD_H

#include "estimate/graph.h"
#include "estimate/walk.h"

/* What a text does not tell of a step. */
struct od_step_habits {
    bool held;          /* all gradients live until the first update: scaling, clipping, replicas */
    unsigned temporary; /* copies of a variable that its update makes; 0 = a fused one */
    bool masks_cast;    /* dropout multiplies by a mask of floats; else it selects */
    bool filter_first;  /* gradients of weights before those of inputs */
    bool scratch;       /* convolutions take workspace where they can */
};

enum { OD_TAPE_SAVED = 4, OD_TAPE_WEIGHTS = 3, OD_TEMPORARIES_MAX = 4 };

/* How the gradient of an output becomes those of the inputs. */
enum od_grad_kind {
    OD_GRAD_NEW,   /* another tensor */
    OD_GRAD_OVER,  /* written over */
    OD_GRAD_SAME,  /* the same tensor for all of them */
    OD_GRAD_SLICES /* a new tensor for each, of its size */
};

/* One differentiable operation. */
struct od_tape {
    uint32_t layer;
    uint32_t first_in, nin; /* graph tensors, into tape_inputs */
    uint32_t out;
    enum od_grad_kind how;
    uint32_t saved[OD_TAPE_SAVED];     /* read for the inputs' gradient; OD_NO_GRAPH_TENSOR */
    uint32_t saved_for_weights;        /* read for the weights' */
    bool whole;                        /* which reads `saved`, too */
    uint64_t weights[OD_TAPE_WEIGHTS]; /* bytes of each trained variable */
    struct od_line scratch;
    struct od_line temporary; /* beside the gradient, while it is made */
};

struct od_gradient {
    uint32_t tensor, next;
};

struct od_held {
    uint32_t layer, gradient;
};

struct od_build {
    const struct od_workload *workload;
    const struct od_step_habits *habits;
    struct od_walk walk;
    struct od_graph *graph;
    uint32_t *value;     /* graph tensor of each tensor of the walk */
    uint64_t *read_by;   /* kinds of layers that read it, as bits */
    bool *map;           /* is it a map as it stands? */
    OD_VEC(bool) trains; /* of each graph tensor: something trained made it */
    OD_VEC(struct od_tape) tape;
    OD_VEC(uint32_t) tape_inputs;
    OD_VEC(struct od_gradient) gradients;
    uint32_t *first_gradient;    /* of each tensor of the forward pass, into gradients */
    OD_VEC(struct od_held) held; /* gradients that wait for the last one */
    uint64_t slots;              /* optimizer states of a variable */
    unsigned width;              /* of an activation */
    bool torch, mixed, channels_first, functional_relu;
    bool unknown; /* a layer that hides layers, or no size: there is no graph */
};

/* Forward: fills graph, tape, value. */
void od_build_forward(struct od_build *build);

/* The loss on top and its gradient, all gradients, the updates. */
void od_build_backward(struct od_build *build);

/* An operation with one output; returns the tensor. */
uint32_t od_build_op(struct od_build *build, uint32_t layer, enum od_phase phase,
                     const uint32_t *inputs, size_t ninputs, struct od_line size);

/* The graph of a workload's step. False when the model does not tell one: a row that hides layers,
 * outputs without a size. The caller calls od_graph_done (also on failure). */
bool od_graph_of(const struct od_workload *workload, const struct od_step_habits *habits,
                 uint64_t slots, struct od_arena *arena, struct od_graph *ret_graph);

#endif
