/*
 * Saved activations: what the layers of a model keep between forward and backward for one sample,
 * and what is live at each layer of the backward pass.
 */
#pragma once

#include "estimate/estimate.h"

struct od_saved_layer {
    uint32_t layer;
    uint64_t saved;      /* bytes kept first by this layer, for one sample */
    uint64_t output;     /* bytes of its output */
    uint64_t parameters; /* elements of its own */
    uint64_t again;      /* bytes recomputed for the backward pass of its segment */
    bool begins;         /* a checkpointing segment starts here */
};

struct od_saved {
    struct od_bytes per_sample;
    uint64_t fixed;          /* independent of the batch: statistics of norms */
    uint64_t tensors;        /* number of trained parameter tensors, as far as rows show it */
    uint64_t largest_output; /* largest output of one sample */
    uint64_t input;          /* the model's input */
    uint64_t unfolded;       /* elements of the largest unfolded input of a convolution, for one
                                sample */
    bool fitted;             /* fitted to a number of activations, including workspace */
    struct od_saved_layer *layers;
    size_t nlayers;
    uint64_t unsized; /* layers whose output is not printed */
    uint32_t first_unsized;
    uint64_t unknown;   /* layers of unknown kind */
    uint64_t collapsed; /* rows with parameters whose layers are not printed */
    const char *note;   /* an assumption to print, or NULL */
    bool overflow;
};

/* Does the table end before its totals? */
bool od_model_is_cut(const struct od_model *model);

/* Parameters of its largest layer. */
uint64_t od_saved_largest(const struct od_saved *saved);

/* The saved bytes of a layered model; arrays are allocated in arena. */
void od_saved_of(const struct od_workload *workload, struct od_arena *arena,
                 struct od_saved *ret_saved);
