/*
 * Finds the end of set-up: weights and optimizer states are allocated before the tensors of the
 * first step. Before that place the size of every trained weight occurs once for the weight and
 * once for each state of the optimizer; after it new sizes appear. A layer table gives the sizes of
 * the weights; without a table they follow from the repetition.
 */
#pragma once

#include "attribute/sequence.h"
#include "attribute/weights.h"
#include "facts/certainty.h"

enum { OD_COPIES_MOST = 16 };

struct od_setup {
    bool known;
    size_t end;       /* the pieces before it are older than the first step */
    unsigned copies;  /* copies of each trained weight, including the weight */
    double explained; /* share of set-up's bytes that this explains, 0..1 */
    double fresh;     /* share of the bytes after it with sizes that did not occur before, 0..1 */
    bool by_table;
    bool rough; /* only one tensor of the step was recognized: others may be before `end` */
    enum od_certainty certainty;
};

/* weights may be empty. sizes: how many the allocator has. */
struct od_setup od_setup_find(const struct od_sequence *sequence, size_t sizes,
                              const struct od_named_list *weights, struct od_arena *arena);

/*
 * Returns the group size if all unmarked sizes occur in multiples of it, like weights with their
 * states; else 0. For printed summaries, which have no order. Weak evidence, because activations
 * recur too: the caller must mark the known ones first.
 */
unsigned od_setup_groups(const struct od_allocator *allocator, const bool *marked);
