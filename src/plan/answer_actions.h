/*
 * What remedies are priced by: the line fixed + batch * per_sample that the answer found. What is
 * not known stays unknown.
 */
#ifndef OD_PLAN_ANSWER_ACTIONS_H
#define OD_PLAN_ANSWER_ACTIONS_H

#include "plan/answer_facts.h"

/* The answer as far as it is known when remedies are priced. */
struct od_answer_line {
    bool known;                  /* fixed, sample and limit are */
    double fixed, sample, limit; /* bytes; of a sample what it adds to the peak */
    struct od_fit fit;           /* median 0: only bounds, or nothing */
};

/* Of the remedies of a whole data set that was put on the device; false = not one of
 * them, or nothing is known of the set. */
bool od_answer_price_dataset(const struct od_answer_facts *facts, const char *id,
                             struct od_answer_action *action);

#endif
