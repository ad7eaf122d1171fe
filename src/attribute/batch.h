/*
 * How many samples a step has on one device: what the user says, what the log says, what the
 * failing tensor's shape holds, and at which batch the outputs of the layer table are found among
 * the sizes in use.
 */
#pragma once

#include "attribute/sequence.h"
#include "attribute/setup.h"
#include "attribute/weights.h"
#include "case/case.h"
#include "facts/certainty.h"

struct od_batch {
    struct od_count n;
    enum od_certainty certainty;
    const char *basis;
    enum od_dtype dtype; /* type of the activations */
    double matched;      /* share of the step's bytes that are outputs of the table at it */
};

/* What a batch is looked for in; the lists may be empty, user unknown. */
struct od_batch_question {
    const struct od_case *c;
    const struct od_allocator *allocator;
    const struct od_sequence *sequence;
    const struct od_setup *setup;
    const struct od_named_list *weights, *outputs; /* outputs of one sample */
    struct od_count user;
    struct od_arena *arena;
};

struct od_batch od_batch_find(const struct od_batch_question *question);

/* The map (a shape of four) that tells most about a dump's sizes: its own failing tensor, else the
 * latest that failed anywhere; its first dimension is the batch. NULL when there is none. */
const struct od_tensor *od_telling_map(const struct od_case *c,
                                       const struct od_allocator *allocator, struct od_count batch);

/* The tensor whose allocation ended in this dump; NULL when no incident tells. */
const struct od_tensor *od_failing_tensor(const struct od_case *c,
                                          const struct od_allocator *allocator);

/* The operation that asked for it, as the dump or its incident names it; may be empty. */
struct od_view od_failing_op(const struct od_case *c, const struct od_allocator *allocator);
