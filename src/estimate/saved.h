/*
 * Saved activations: what the layers of a model keep between forward and backward, for one sample,
 * and what of it lives at each layer of the backward pass.
 */
#pragma once

#include "estimate/estimate.h"

struct od_saved_layer {
    uint32_t layer;
    uint64_t saved;      /* bytes first kept by this layer, for one sample */
    uint64_t output;     /* bytes of its output */
    uint64_t parameters; /* elements, its own */
    uint64_t again;      /* bytes computed again for the backward pass of its segment */
    bool begins;         /* a segment of checkpointing */
};

struct od_saved {
    struct od_bytes per_sample;
    uint64_t fixed;          /* whatever the batch: statistics of norms */
    uint64_t tensors;        /* of parameters, trained ones, as far as the rows tell */
    uint64_t largest_output; /* of one sample */
    uint64_t input;          /* the model's input */
    uint64_t unfolded;       /* elements of the largest input of a convolution, each place of it
                                laid out as its kernel reads it; of one sample */
    bool fitted;             /* to a count of activations, the workspace with them */
    struct od_saved_layer *layers;
    size_t nlayers;
    uint64_t unsized; /* layers whose output the text does not tell */
    uint32_t first_unsized;
    uint64_t unknown;   /* layers of no known kind */
    uint64_t collapsed; /* rows with parameters whose own layers are not printed */
    const char *note;   /* an assumption to be printed, or NULL */
    bool overflow;
};

/* Is it a table that ends before its totals? */
bool od_model_is_cut(const struct od_model *model);

/* Parameters of its largest layer. */
uint64_t od_saved_largest(const struct od_saved *saved);

/* The saved bytes of a layered model; arrays live in arena. */
void od_saved_of(const struct od_workload *workload, struct od_arena *arena,
                 struct od_saved *ret_saved);
