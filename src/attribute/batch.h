/*
 * Finds the number of samples of a step on one device. Sources: the user, the log, the failing
 * tensor's shape, and the batch at which the layer table's outputs match sizes in use.
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

/* Input of the search for a batch. The lists may be empty, user may be unknown. */
struct od_batch_question {
    const struct od_case *c;
    const struct od_allocator *allocator;
    const struct od_sequence *sequence;
    const struct od_setup *setup;
    const struct od_named_list *weights, *outputs; /* outputs for one sample */
    struct od_count user;
    struct od_arena *arena;
};

struct od_batch od_batch_find(const struct od_batch_question *question);

/* The map (a shape of four dimensions, first the batch) that explains most sizes of a dump: its own
 * failing tensor, otherwise the latest failed tensor of the case. NULL if there is none. */
const struct od_tensor *od_reference_map(const struct od_case *c,
                                         const struct od_allocator *allocator,
                                         struct od_count batch);

/* The tensor whose failed allocation caused the dump; NULL if no incident has it. */
const struct od_tensor *od_failing_tensor(const struct od_case *c,
                                          const struct od_allocator *allocator);

/* The operation whose request failed, named by the dump or its incident; may be empty. */
struct od_view od_failing_op(const struct od_case *c, const struct od_allocator *allocator);
