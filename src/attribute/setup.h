/*
 * Where set-up ends: in the order of allocation, weights and optimizer states come before the first
 * step's tensors. Two things tell the place. Before it every trained weight's size stands once for
 * the weight and once for each state the optimizer keeps; after it sizes appear which were not
 * there before. A layer table tells the sizes of the weights; without one their repetition must.
 */
#pragma once

#include "attribute/sequence.h"
#include "attribute/weights.h"
#include "facts/certainty.h"

enum { OD_COPIES_MOST = 16 };

struct od_setup {
    bool known;
    size_t end;       /* pieces before it were there before the first step */
    unsigned copies;  /* of each trained weight, the weight itself among them */
    double explained; /* share of set-up's bytes that this tells, 0..1 */
    double fresh;     /* share of the bytes behind it whose sizes are new there, 0..1 */
    bool by_table;
    bool rough; /* only a tensor of the step was recognised: some of its may stand before `end` */
    enum od_certainty certainty;
};

/* weights may be empty. apart: for each of the allocator's sizes, whether it is left out of account
 * (a data set); NULL = none is. sizes: how many the allocator has. */
struct od_setup od_setup_find(const struct od_sequence *sequence, size_t sizes,
                              const struct od_named_list *weights, const bool *apart,
                              struct od_arena *arena);

/*
 * Without an order, from a printed summary: all sizes but those marked come in whole groups of so
 * many, as weights and their states do. 0 when they do not. Weak: activations come again too, so
 * those must be known first and stand marked.
 */
unsigned od_setup_groups(const struct od_allocator *allocator, const bool *marked);
