/*
 * Computes the answer of replay.h: a step of the model in several variants of its unknown
 * properties, each with a trace to drive an allocator. Internal to replay*.c.
 */
#pragma once

#include "estimate/bfc_sim.h"
#include "estimate/graph_build.h"
#include "estimate/replay.h"
#include "estimate/torch_sim.h"
#include "estimate/trace.h"

enum { OD_VARIANTS = 32 };

/* A choice of the unknown properties. */
struct od_variant {
    struct od_step_habits habits;
    unsigned order, jitter;
    double weight; /* relative probability */
    struct od_graph graph;
    struct od_trace trace;
};

struct od_replay {
    const struct od_replay_question *question;
    struct od_workload workload; /* the question's workload, with its model expanded */
    struct od_variant variants[OD_VARIANTS];
    size_t nvariants;
    struct od_bfc *bfc;     /* only one of bfc and torch is set */
    struct od_torch *torch; /* allocator of the framework PyTorch */
    uint32_t *handles;      /* handle of each buffer while a variant runs */
    bool *taken;
};

/* Prepares the variants. False if the model is insufficient for a step. Call od_replay_done in
 * either case; the question must outlive r. */
bool od_replay_init(struct od_replay *r, const struct od_replay_question *q,
                    struct od_arena *arena);
void od_replay_done(struct od_replay *r);

/* Bytes of a variant's variables: weights, states. UINT64_MAX = too large. */
uint64_t od_variant_variables(const struct od_variant *v);

/* Weighs variants by the difference of their memory in use at the failure from that in the dump.
 * Differences of half a percent do not count, because the order of operations differs from the real
 * one. If no variant is close, weights are unchanged. */
void od_replay_weigh(struct od_replay *r);
