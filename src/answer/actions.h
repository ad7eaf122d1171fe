/*
 * Prices remedies by the line fixed + batch * per_sample that the answer found. Unknown values stay
 * unknown.
 */
#pragma once

#include "answer/answer.h"

/* The answer as far as it is known when remedies are priced. */
struct od_answer_line {
    bool known;                  /* fixed, sample and limit are */
    double fixed, sample, limit; /* bytes; sample = how much one sample adds to the peak */
    struct od_belief
        fit; /* the probability that a batch fits; without parts if only bounds are known */
    const struct od_diagnosis *diagnosis;
};

/* Prices the remedies for a whole data set that was put on the device. False if the remedy is not
 * one of them, or if nothing is known about the data set. */
bool od_answer_price_dataset(const struct od_fit_facts *facts, const char *id,
                             struct od_answer_action *action);
