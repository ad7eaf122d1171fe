/*
 * Explains each chunk in use by its position in the order of allocation and by the tensors of its
 * size.
 */
#pragma once

#include "attribute/batch.h"
#include "attribute/sequence.h"
#include "attribute/setup.h"
#include "attribute/weights.h"

/* The explanation of one piece of the sequence. */
struct od_explanation {
    const struct od_named *what; /* NULL = only the role is known */
    uint32_t same;               /* number of tensors with that size and role, including `what` */
    uint8_t role;                /* enum od_role */
    uint8_t certainty;           /* enum od_certainty */
};

struct od_explain_question {
    const struct od_case *c;
    const struct od_allocator *allocator;
    const struct od_sequence *sequence;
    const struct od_setup *setup;
    const struct od_batch *batch;
    const struct od_named_list *weights;
    const struct od_named_list *outputs; /* outputs for one sample */
    bool recognised;                     /* weights and outputs are those of a public network */
    struct od_arena *arena;
};

/* For unknown set-up: the position of the first piece that must be an activation, according to the
 * failing tensor; the end of the sequence if there is none. */
size_t od_first_activation(const struct od_explain_question *question);

/* Explains all pieces; one element for each, in arena. */
struct od_explanation *od_explain(const struct od_explain_question *question);
