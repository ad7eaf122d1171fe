/*
 * What fits, derived from the log's evidence about the memory of a step. Several methods propose
 * hypotheses, each a largest batch with its error. One function weighs them by the memory in use
 * and by the batches that worked and failed. Their mixture answers all later questions. Computed
 * before causes are considered.
 */
#pragma once

#include "fit/facts.h"

enum { OD_HYPOTHESES = 5 };

struct od_fit {
    struct od_fit_question question; /* a copy */
    bool known; /* the failure is of device memory; otherwise only facts.product is set below */
    struct od_fit_facts facts;
    struct od_hypothesis list[OD_HYPOTHESES]; /* by weight, greatest first */
    double weight[OD_HYPOTHESES];             /* their sum is 1 */
    size_t n;
    /* probability that the tried batch fits without fragmentation, ignoring its failure;
     * negative: not known */
    double batch_fits;
    double one_fits;    /* probability that a single sample fits */
    double fixed_share; /* share of the limit that is independent of the batch */
};

/* Computes the fit in arena. It refers to objects of the question. Never NULL. */
const struct od_fit *od_fit_of(const struct od_fit_question *question, struct od_arena *arena);

/* The belief about the largest batch. by_size: the tried batch failed because of its size,
 * otherwise because other memory was in use. n = 0 means that nothing is known. *ret_best is the
 * hypothesis of greatest weight; NULL = none. */
struct od_belief od_fit_belief(const struct od_fit *fit, bool by_size,
                               const struct od_hypothesis **ret_best);
