/*
 * The largest batch by replay: a training step derived from a layered model (graph_build.h) is run
 * through the simulated allocator (bfc_sim.h, torch_sim.h) at different batch sizes. Unknown
 * properties of a step (the order of independent operations, workspaces, how the optimizer updates)
 * are varied; the answer is the median of the variants and a range over all of them.
 *
 * Fitting is not monotone: a larger batch may fit although a smaller one does not, depending on the
 * positions of free chunks.
 */
#pragma once

#include "estimate/estimate.h"

/* A moment of a step at which a request failed. */
struct od_replay_moment {
    uint64_t batch;
    struct od_view layer;    /* name of the layer in its row; empty = not known */
    enum od_tri backward;    /* the failed operation computes a gradient */
    struct od_count request; /* bytes of the failed request; unknown = any request */
};

struct od_replay_question {
    const struct od_workload *workload; /* model, framework, precision and optimizer are used */
    uint64_t limit; /* bytes available to the allocator; for PyTorch the device's free memory */
    bool growth;    /* allow_growth of TensorFlow */
    uint64_t device_free;  /* bytes of the device available to a growing pool; 0 = the limit */
    uint64_t held;         /* bytes in use before the step, without the model's own variables */
    struct od_count slots; /* optimizer states per variable; unknown = those of the optimizer */
    enum od_tri fused;     /* a single kernel without temporaries updates a variable */
    enum od_tri gradients_held; /* all gradients exist at once: scaling, clipping, replicas */
    double reserve; /* numbers that a recurrent layer keeps per unit and step; 0 = not known */
    struct od_count failed;       /* a batch that did not fit */
    struct od_replay_moment seen; /* the moment of the failure */
    struct od_bytes lived;        /* requested bytes in use at that moment; unknown = not given */
};

/* In samples; 0 in largest or safe = not even one fits. */
struct od_replay_answer {
    uint64_t largest; /* median over the variants */
    uint64_t lo, hi;  /* 90 % interval */
    uint64_t safe;    /* this and all smaller batches fit in all variants with some margin */
    uint64_t pow2;    /* largest power of two that fits in half of the variants; 0 = none */
    uint64_t fixed;   /* bytes of variables and of `held` */
    uint64_t each;    /* bytes added to the peak by one more sample */
};

/* Computes the largest batch. False if the model is insufficient for a step: a transformer (its
 * attention has no rows), a row that hides layers and is not a known network, layers without a
 * size. */
bool od_replay_largest(const struct od_replay_question *question, struct od_arena *arena,
                       struct od_replay_answer *ret_answer);

/* Relative difference between `lived` and the memory in use at the moment `seen` (without its
 * request, with `held`), for the closest variant and the closest possible request. Negative if no
 * variant has that moment. */
double od_replay_differs(const struct od_replay_question *question, struct od_arena *arena);
