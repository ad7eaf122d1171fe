/*
 * Computes the effects of remedies from the line fixed + batch * per_sample of the answer. Unknown
 * values stay unknown.
 */
#pragma once

#include "answer/answer.h"

/* The part of the answer that is known before remedies are computed. */
struct od_answer_line {
    bool known;                  /* are fixed, sample and limit known? */
    double fixed, sample, limit; /* bytes; sample: how much one more sample adds to the peak */
    struct od_belief fit; /* probabilities that a batch fits; no parts if only bounds are known */
    const struct od_diagnosis *diagnosis;
};
