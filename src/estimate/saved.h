/*
 * Saved activations: the tensors that the layers of a model keep between forward and backward for
 * one sample, and those live at each layer of the backward pass.
 */
#pragma once

#include "estimate/estimate.h"

struct od_saved_layer {
    uint32_t layer;
    uint64_t saved;      /* bytes that this layer is the first to keep, for one sample */
    uint64_t output;     /* bytes of the output, for one sample */
    uint64_t parameters; /* number of the layer's own parameters */
    uint64_t again;      /* bytes recomputed for the backward pass of its segment */
    bool begins;         /* a checkpointing segment starts here */
};

struct od_saved {
    struct od_bytes per_sample;
    uint64_t fixed;          /* independent of the batch: statistics of norms */
    uint64_t tensors;        /* number of trained parameter tensors, as far as rows show them */
    uint64_t largest_output; /* largest output of one sample */
    uint64_t input;          /* bytes of the model's input */
    uint64_t unfolded;       /* elements of the largest unfolded input of a convolution, for one
                                sample */
    bool fitted; /* the result of a fit to a number of activations, including workspace */
    struct od_saved_layer *layers;
    size_t nlayers;
    uint64_t unsized; /* number of layers whose output is not printed */
    uint32_t first_unsized;
    uint64_t unknown;   /* number of layers of unknown kind */
    uint64_t collapsed; /* number of rows with parameters whose layers are not printed */
    const char *note;   /* an assumption to print, or NULL */
    bool overflow;
};

/* Does the table end before its totals? */
bool od_model_is_cut(const struct od_model *model);

/* Number of parameters of the largest layer. */
uint64_t od_saved_largest(const struct od_saved *saved);

/* Computes the saved bytes of a layered model. Arrays are allocated in arena. */
void od_saved_of(const struct od_workload *workload, struct od_arena *arena,
                 struct od_saved *ret_saved);
