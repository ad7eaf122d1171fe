/*
 * What fits, derived from the log's evidence about the memory of a step. Several methods propose
 * hypotheses, each a largest batch with its error; one function weighs them by the memory in use
 * and by the batches that worked and failed; one posterior answers all later questions. Computed
 * before causes are considered.
 */
#pragma once

#include "fit/facts.h"

enum { OD_HYPOTHESES = 5 };

struct od_fit {
    struct od_fit_question question; /* a copy */
    bool known;                      /* a device failure; otherwise of the members
                                 below only facts.product is set */
    struct od_fit_facts facts;
    struct od_hypothesis list[OD_HYPOTHESES]; /* the one of greatest weight first */
    double weight[OD_HYPOTHESES];             /* they add up to 1 */
    size_t n;
    double batch_fits;  /* probability that the tried batch fits in one piece, ignoring its
                           failure; negative: not known */
    double one_fits;    /* probability that a single sample fits */
    double fixed_share; /* share of the limit that does not depend on the batch */
};

/* Allocated in arena; borrows from the objects in the question. Never NULL. */
const struct od_fit *od_fit_of(const struct od_fit_question *question, struct od_arena *arena);

/* The belief about the largest batch. by_size: the tried batch failed because of its size;
 * otherwise because other memory was in use. n = 0: nothing is known. *ret_best: the hypothesis
 * with the greatest weight, NULL = none. */
struct od_belief od_fit_belief(const struct od_fit *fit, bool by_size,
                               const struct od_hypothesis **ret_best);
