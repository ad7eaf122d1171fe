/*
 * The options table of a failed run whose model is known. Its numbers follow from the answer's line
 * fixed + batch * per_sample: each change scales both parts as in the planner's estimates of the
 * model.
 */
#pragma once

#include "answer/actions.h"

/* The probabilities for the batch if samples keep the share `left` of their memory and that much
 * fixed memory is freed. sigma: deviation of the logarithm of `left`. */
struct od_belief od_answer_scaled(const struct od_answer_line *line, const struct od_answer *answer,
                                  double times, double sigma);

/* Sets answer->options; none if the model, the batch or the line is unknown. */
void od_answer_add_options(const struct od_fit_facts *facts, const struct od_answer_line *line,
                           struct od_answer *answer);

/* The cheapest row with several changes that probably fits; NULL if there is none, or if one change
 * is enough. */
const struct od_plan_option *od_answer_together(const struct od_answer *answer);

/* Does the other row have all changes of this row? */
bool od_answer_includes(const struct od_answer *answer, const struct od_plan_option *all,
                        const struct od_plan_option *one);

/* The row of that remedy with the lowest peak; NULL = none. */
const struct od_plan_option *od_answer_option(const struct od_answer *answer, const char *remedy);
