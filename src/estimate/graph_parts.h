/*
 * Builds the graph of graph_build.h: a forward pass that records which tensors each operation's
 * gradient reads, and the backward pass over these records. Internal to graph_*.c.
 */
#pragma once

#include "estimate/graph_build.h"
#include "estimate/walk.h"

enum { OD_TAPE_SAVED = 8, OD_TAPE_WEIGHTS = 3, OD_TEMPORARIES_MAX = 4 };

/* How the gradient of an output gives those of the inputs. */
enum od_grad_kind {
    OD_GRAD_NEW,   /* a new tensor */
    OD_GRAD_OVER,  /* overwrites the output's gradient */
    OD_GRAD_SAME,  /* the same tensor for all inputs */
    OD_GRAD_SLICES /* a new tensor for each input, of the input's size */
};

/* A convolution reads its input as often as its kernel overlaps. */
enum { OD_PASSES = 8 };

/* CPU kernels whose gradients consist of several tensors. */
enum od_parts { OD_PARTS_ONE, OD_PARTS_NORM, OD_PARTS_POOL };

/* One differentiable operation. */
struct od_tape {
    uint32_t layer;
    uint32_t first_in, nin; /* range in tape_inputs of graph tensors: first and number */
    uint32_t out;
    enum od_grad_kind how;
    uint32_t saved[OD_TAPE_SAVED];     /* read by the inputs' gradient; OD_NO_GRAPH_TENSOR = none */
    uint32_t saved_for_weights;        /* tensor that the weights' gradient reads */
    bool whole;                        /* the weights' gradient also reads `saved` */
    uint64_t weights[OD_TAPE_WEIGHTS]; /* bytes of each trained variable */
    struct od_linear scratch;
    struct od_linear temporary; /* buffer during the computation of the inputs' gradient */
    struct od_linear columns;   /* buffer during the computation of the weights' gradient */
    enum od_parts parts;
    unsigned passes; /* passes of the inputs' gradient; the weights' has twice as many */
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
    enum od_graph_pass pass;
    uint32_t *value;     /* graph tensor of each tensor of the walk */
    uint64_t *read_by;   /* for each tensor of the walk: kinds of layers that read it (bit set) */
    bool *map;           /* for each tensor of the walk: it is a map at present */
    OD_VEC(bool) trains; /* for each graph tensor: it depends on a trained variable */
    OD_VEC(struct od_tape) tape;
    OD_VEC(uint32_t) tape_inputs;
    OD_VEC(struct od_gradient) gradients;
    uint32_t *first_gradient;    /* for each tensor of the forward pass: index in gradients */
    OD_VEC(struct od_held) held; /* gradients that must wait until all exist */
    uint64_t input_elements;     /* number of elements of one sample of the input */
    uint32_t next_batch;         /* next batch of the input pipeline; OD_NO_GRAPH_TENSOR = none */
    uint64_t slots;              /* number of optimizer states per variable */
    unsigned width;              /* bytes per number of an activation */
    bool torch, mixed, channels_first, functional_relu;
    bool unknown; /* there is no graph, because a layer hides layers or has no size */
};

/* Builds the forward pass: fills graph, tape, value. */
void od_build_forward(struct od_build *build);

/* Adds the loss and its gradient, all gradients, and the updates. */
void od_build_backward(struct od_build *build);

/* One layer under construction. */
struct od_site {
    const struct od_layer *layer;
    const struct od_step *step;
    const struct od_walk_tensor *in, *out; /* tensors of the walk; in may be NULL */
    uint32_t index;
    uint32_t x; /* graph tensor of the first input; NONE = there is none */
};

/* Adds an operation with one output to the current pass. Returns the output. */
uint32_t od_build_op(struct od_build *b, uint32_t layer, const uint32_t *inputs, size_t ninputs,
                     struct od_linear size);

/* Adds an output to the last operation. Returns the output. */
uint32_t od_build_more(struct od_build *b, struct od_linear size);
struct od_graph_op *od_build_newest(struct od_build *b);

/* A size with that many elements for each sample (`each`) or in total (`fixed`). Overflow is
 * recorded in the graph. */
struct od_linear od_build_each(struct od_build *b, uint64_t elements, uint64_t width);
struct od_linear od_build_fixed(struct od_build *b, uint64_t elements, uint64_t width);

/* Marks the operation's output as depending on trained variables, if the operation has weights. */
void od_build_trained(struct od_build *b, const struct od_tape *tape);

/* Records a differentiable operation from `in` (NONE: the caller adds its inputs) to `out`. Valid
 * until the next call. */
struct od_tape *od_site_note(struct od_build *b, const struct od_site *s, uint32_t in,
                             uint32_t out);
uint32_t od_site_forward(struct od_build *b, const struct od_site *s, uint32_t x,
                         struct od_linear size);

/* Size of the layer's output. */
struct od_linear od_site_size(struct od_build *b, const struct od_site *s);

/* Adds a copy of a tensor whose gradient reads no tensor. */
uint32_t od_site_copy(struct od_build *b, const struct od_site *s, uint32_t x,
                      struct od_linear size);

/* Adds a variable and, if it is trained, its optimizer states. Returns its bytes if it is trained,
 * otherwise 0. */
uint64_t od_site_variable(struct od_build *b, const struct od_site *s, uint64_t elements,
                          bool trained);

/* Does the printed type contain the word? */
bool od_site_is(const struct od_site *s, const char *word);

/* Sets the memory of a convolution's gradients on a CPU: products of patches (im2col). */
void od_site_columns(struct od_build *b, const struct od_site *s, uint64_t weights,
                     struct od_tape *tape);

/* Adds the gradient of an input with several operations, as the tape requires. */
uint32_t od_gradient_by_parts(struct od_build *b, const struct od_tape *tape, uint32_t in,
                              uint32_t dy);

/* Adds a recurrent layer as in cuDNN: one call over all steps, in time-major order. */
uint32_t od_site_recurrent(struct od_build *b, const struct od_site *s);

/* Elements of the input of one sample, if no row prints the input. */
uint64_t od_recurrent_reads(const struct od_site *s);
