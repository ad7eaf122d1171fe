/*
 * What remedies are priced by: the line fixed + batch * per_sample that the answer found. What is
 * not known stays unknown.
 */
#pragma once

#include "answer/answer.h"

/* The answer as far as it is known when remedies are priced. */
struct od_answer_line {
    bool known;                  /* fixed, sample and limit are */
    double fixed, sample, limit; /* bytes; of a sample what it adds to the peak */
    struct od_belief
        fit; /* the probability that a batch fits; without parts where only bounds are known */
    const struct od_diagnosis *diagnosis;
};

/* Of the remedies of a whole data set that was put on the device; false = not one of
 * them, or nothing is known of the set. */
bool od_answer_price_dataset(const struct od_fit_facts *facts, const char *id,
                             struct od_answer_action *action);
