/*
 * How replay.h's answer is made: a step of the model in several variants of its unknown properties,
 * each with a trace to drive an allocator. Internal to replay*.c.
 */
#pragma once

#include "estimate/bfc_sim.h"
#include "estimate/graph_build.h"
#include "estimate/replay.h"
#include "estimate/torch_sim.h"
#include "estimate/trace.h"

enum { OD_VARIANTS = 32 };

/* One choice of the unknown properties. */
struct od_variant {
    struct od_step_habits habits;
    unsigned order, jitter;
    double weight; /* its relative probability */
    struct od_graph graph;
    struct od_trace trace;
};

struct od_replay {
    const struct od_replay_question *question;
    struct od_workload workload; /* the question's workload, with its model resolved */
    struct od_variant variants[OD_VARIANTS];
    size_t nvariants;
    struct od_bfc *bfc;     /* only one of the two is set */
    struct od_torch *torch; /* the framework's */
    uint32_t *handles;      /* handle of each buffer of the running variant */
    bool *taken;
};

/* False if the model is insufficient for a step. Call od_replay_done in either case; the question
 * must outlive it. */
bool od_replay_init(struct od_replay *r, const struct od_replay_question *q,
                    struct od_arena *arena);
void od_replay_done(struct od_replay *r);

/* Bytes that a variant holds in all steps: weights, states. UINT64_MAX = too large. */
uint64_t od_variant_variables(const struct od_variant *v);

/* Weighs variants by how close what was live at the failure is to the memory in use in the dump.
 * The order of operations differs from the real one, so half a percent means nothing, and if no
 * variant is close, weights are unchanged. */
void od_replay_weigh(struct od_replay *r);
