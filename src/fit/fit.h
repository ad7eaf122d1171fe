/*
 * What fits: the memory of a step, explained by what the log shows. Generators propose hypotheses,
 * each a largest batch with its doubt; one scorer weighs them by what was in use, what trained and
 * what failed; one posterior answers for all that comes after. Made before any cause is looked for.
 */
#pragma once

#include "fit/facts.h"

enum { OD_HYPOTHESES = 5 };

struct od_fit {
    struct od_fit_question question; /* a copy */
    bool known;                      /* of a device's failure; else nothing below is */
    struct od_fit_facts facts;
    struct od_hypothesis list[OD_HYPOTHESES]; /* the most telling first */
    double weight[OD_HYPOTHESES];             /* sum to 1 */
    size_t n;
    double batch_fits;  /* that the batch tried fits in one piece, before its failure is held
                           against it; negative: not known */
    double one_fits;    /* that a single sample does */
    double fixed_share; /* of the limit, whatever the batch */
};

/* Lives in arena; borrows from the question, which is copied. Never NULL. */
const struct od_fit *od_fit_of(const struct od_fit_question *question, struct od_arena *arena);

/* What is believed of the largest batch. by_size: the batch that was tried failed because of its
 * size; else something lay beside the step. median 0: nothing is. The hypothesis that weighs most
 * goes to *ret_best, NULL where there is none. */
struct od_belief od_fit_belief(const struct od_fit *fit, bool by_size,
                               const struct od_hypothesis **ret_best);
