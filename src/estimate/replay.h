/*
 * The largest batch by replay: a training step derived from a layered model (graph_build.h) is run
 * through the simulated allocator (bfc_sim.h, torch_sim.h) at different batch sizes. Unknown
 * properties of a step (the order of independent operations, workspaces, how the optimizer updates)
 * are varied; the answer is the median of the variants and a range over all of them.
 *
 * Fitting is not monotone: a larger batch may fit although a smaller one does not, depending on
 * where free chunks are.
 */
#pragma once

#include "estimate/estimate.h"

/* A moment of a step at which a request failed. */
struct od_replay_moment {
    uint64_t batch;
    struct od_view layer;    /* name in its row; empty = not known */
    enum od_tri backward;    /* the failed operation computes a gradient */
    struct od_count request; /* bytes; unknown = any */
};

struct od_replay_question {
    const struct od_workload *workload; /* model, framework, precision, optimizer */
    uint64_t limit;        /* limit of the allocator; for PyTorch the device's free memory */
    bool growth;           /* allow_growth of TensorFlow */
    uint64_t device_free;  /* bytes that the device has for a growing pool; 0 = the limit */
    uint64_t held;         /* bytes in use before the step besides the model's own variables */
    struct od_count slots; /* optimizer states per variable; unknown = those of the optimizer */
    enum od_tri fused;     /* the update of a variable is one kernel without temporaries */
    enum od_tri gradients_held;   /* all gradients exist at once: scaling, clipping, replicas */
    double reserve;               /* numbers per unit and step of a recurrent layer; 0 = not
                                     known */
    struct od_count failed;       /* a batch that did not fit */
    struct od_replay_moment seen; /* the moment of a failure */
    struct od_bytes lived;        /* bytes requested for what was live at that moment; unknown =
                                     not given */
};

/* Numbers of samples; 0 in largest or safe = not even one fits. */
struct od_replay_answer {
    uint64_t largest; /* the median of the variants */
    uint64_t lo, hi;  /* 90 % interval */
    uint64_t safe;    /* fits in all variants with some margin, and so do all smaller ones */
    uint64_t pow2;    /* a power of two up to largest that fits in half of the variants; 0 = none */
    uint64_t fixed;   /* bytes of variables, and of what was held */
    uint64_t each;    /* bytes that one more sample adds to the peak */
    uint64_t peak_fixed; /* peak = peak_fixed + each * N around the largest batch */
};

/* False if the model is insufficient for a step: a transformer (its attention has no rows), a row
 * that hides layers and is not a known network, layers without a size. */
bool od_replay_largest(const struct od_replay_question *question, struct od_arena *arena,
                       struct od_replay_answer *ret_answer);

/* Relative difference between `lived` and what is live at the moment `seen` (without its request,
 * including `held`), for the closest variant and, if several requests are possible, the closest of
 * them. Negative if no variant has that moment. */
double od_replay_differs(const struct od_replay_question *question, struct od_arena *arena);
