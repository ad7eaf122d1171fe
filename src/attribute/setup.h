/*
 * Finds the end of set-up, in which weights and optimizer states are allocated, before the tensors
 * of the first step. Before that position the size of every trained weight occurs once for the
 * weight and once for each state of the optimizer; after it new sizes appear. A layer table gives
 * the sizes of the weights; without a table they follow from the repetition.
 */
#pragma once

#include "attribute/sequence.h"
#include "attribute/weights.h"
#include "facts/certainty.h"

enum { OD_COPIES_MOST = 16 };

struct od_setup {
    bool known;
    size_t end;       /* index of the first piece of the first step */
    unsigned copies;  /* chunks per trained weight: the weight and its states */
    double explained; /* share of set-up's bytes that copies explain, 0..1 */
    double fresh;     /* share of later bytes with sizes that did not occur before, 0..1 */
    bool by_table;
    bool rough; /* only one tensor of the step was recognized; others may be before `end` */
    enum od_certainty certainty;
};

/* Finds the end of set-up. weights may be empty. sizes: number of the allocator's sizes. */
struct od_setup od_setup_find(const struct od_sequence *sequence, size_t sizes,
                              const struct od_named_list *weights, struct od_arena *arena);

/*
 * Returns the group size if all unmarked sizes occur in multiples of it, as weights with their
 * states do; otherwise 0. Used for printed summaries, which have no order. Weak evidence, because
 * activations recur too: the caller must mark the known ones first.
 */
unsigned od_setup_groups(const struct od_allocator *allocator, const bool *marked);
