/*
 * How replay.h's answer is made: a step of the model in each of several variants of what nobody
 * knows, each with a trace that an allocator can be driven with. Private to replay*.c.
 */
#pragma once

#include "estimate/bfc_sim.h"
#include "estimate/graph_build.h"
#include "estimate/replay.h"
#include "estimate/torch_sim.h"
#include "estimate/trace.h"

enum { OD_VARIANTS = 32 };

/* One guess of what is not known. */
struct od_variant {
    struct od_step_habits habits;
    unsigned order, jitter;
    double weight; /* how much it is believed */
    struct od_graph graph;
    struct od_trace trace;
};

struct od_replay {
    const struct od_replay_question *question;
    struct od_workload workload; /* the question's, its model resolved */
    struct od_variant variants[OD_VARIANTS];
    size_t nvariants;
    struct od_bfc *bfc;     /* of one of these */
    struct od_torch *torch; /* the framework's */
    uint32_t *handles;      /* of each buffer of the variant that runs */
    bool *taken;
};

/* False where the model does not tell a step. To be done with in either case; what is asked must
 * outlive it. */
bool od_replay_init(struct od_replay *r, const struct od_replay_question *q,
                    struct od_arena *arena);
void od_replay_done(struct od_replay *r);

/* Bytes of what a variant holds through all steps: weights, states. UINT64_MAX = too large. */
uint64_t od_variant_variables(const struct od_variant *v);

/* Variants are believed as far as what lived at the failure is what the dump has in use. Others'
 * orders are not ours: half a percent tells nothing, and where none comes near, nothing does. */
void od_replay_weigh(struct od_replay *r);
