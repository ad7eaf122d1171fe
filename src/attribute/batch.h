/*
 * The number of samples that a step has on one device: as given by the user, as stated in the log,
 * from the failing tensor's shape, or from the batch at which the layer table's outputs match sizes
 * in use.
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
    double matched;      /* share of the step's bytes that are outputs at this batch */
};

/* Where to look for a batch; the lists may be empty, user may be unknown. */
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

/* The map (a shape of four dimensions) that helps most to explain a dump's sizes: its own failing
 * tensor, else the latest tensor that failed anywhere. Its first dimension is the batch. NULL if
 * there is none. */
const struct od_tensor *od_telling_map(const struct od_case *c,
                                       const struct od_allocator *allocator, struct od_count batch);

/* The tensor whose failed allocation led to this dump; NULL if no incident has it. */
const struct od_tensor *od_failing_tensor(const struct od_case *c,
                                          const struct od_allocator *allocator);

/* The operation that asked for it, as the dump or its incident names it; may be empty. */
struct od_view od_failing_op(const struct od_case *c, const struct od_allocator *allocator);
