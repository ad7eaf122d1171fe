/*
 * The largest batch by replay: a training step derived from a layered model (graph_build.h), run
 * through the simulated allocator (bfc_sim.h, torch_sim.h) at one batch after the other. What
 * nobody knows of a step (the order of independent operations, workspaces, how the optimizer
 * updates) is varied; the answer is the median of the variants and a range around all of them.
 *
 * Fitting is not monotone: a larger batch may fit where a smaller one does not, as holes fall.
 */
#pragma once

#include "estimate/estimate.h"

/* A moment of a step: where a request failed. */
struct od_replay_moment {
    uint64_t batch;
    struct od_view layer;    /* as its row names it; empty = not known */
    enum od_tri backward;    /* the failing operation is a gradient's */
    struct od_count request; /* bytes; unknown = any */
};

struct od_replay_question {
    const struct od_workload *workload; /* model, framework, precision, optimizer */
    uint64_t limit;        /* of the allocator; of the device's free memory for PyTorch */
    bool growth;           /* allow_growth */
    uint64_t device_free;  /* bytes the device has for a growing pool; 0 = as much as the limit */
    bool expandable;       /* PyTorch: expandable_segments */
    uint64_t held;         /* bytes in use before the step beyond the model's own variables */
    struct od_count slots; /* optimizer states of a variable; unknown = as the optimizer has */
    enum od_tri fused;     /* the update of a variable is one kernel: no temporaries */
    enum od_tri gradients_held;   /* until the last one is there: scaling, clipping, replicas */
    double reserve;               /* numbers a unit and step of a recurrent layer; 0 = not known */
    struct od_count failed;       /* a batch that did not fit */
    struct od_replay_moment seen; /* of a failure, */
    struct od_bytes lived;        /* and bytes asked for by what lived then; unknown = not given */
};

/* Samples. largest, safe: 0 = not even one fits. */
struct od_replay_answer {
    uint64_t largest; /* the median of the variants */
    uint64_t lo, hi;  /* 90 % */
    uint64_t safe;    /* fits in all variants with something to spare, and so do smaller ones */
    uint64_t pow2;    /* a power of two up to largest that fits in half of the variants; 0 = none */
    uint64_t fixed;   /* bytes of variables, with what was held */
    uint64_t each;    /* bytes that one more sample adds to the peak */
    uint64_t peak_fixed; /* peak = peak_fixed + each * N around the largest */
};

/* False when the model does not tell a step: a transformer (its attention has no rows), a row that
 * hides layers and is no known network, layers without a size. */
bool od_replay_largest(const struct od_replay_question *question, struct od_arena *arena,
                       struct od_replay_answer *ret_answer);

/*
 * Part by which what lives at the question's `seen` (its request not counted, what was held before
 * counted) differs from `lived`: of the nearest variant and, where the moment can be several of its
 * requests, the nearest of them. Negative when no variant has that moment.
 */
double od_replay_differs(const struct od_replay_question *question, struct od_arena *arena);
