/*
 * The options table of a failed run whose model is known: priced by the line fixed + batch *
 * per_sample that the answer found, which each change tilts and lowers as the planner's estimates
 * of the model tell.
 */
#pragma once

#include "answer/actions.h"

/* What is believed when the line's samples take `left` of their memory and so much of what is fixed
 * comes free; sigma is that of left's logarithm. */
struct od_belief od_answer_scaled(const struct od_answer_line *line, const struct od_answer *answer,
                                  double times, double sigma);

/* Sets answer->options; there are none where the model, the batch or the line is not known. */
void od_answer_add_options(const struct od_fit_facts *facts, const struct od_answer_line *line,
                           struct od_answer *answer);

/* The cheapest row of several changes that probably fits; NULL if there is none, or if one change
 * is enough. */
const struct od_plan_option *od_answer_together(const struct od_answer *answer);

/* Are all changes of one row also changes of the other? */
bool od_answer_includes(const struct od_answer *answer, const struct od_plan_option *all,
                        const struct od_plan_option *one);

/* The row of that remedy with the lowest peak; NULL = there is none. */
const struct od_plan_option *od_answer_option(const struct od_answer *answer, const char *remedy);
