/* The options table of a plan: what else could be run on the same device. */
#ifndef OD_PLAN_OPTIONS_H
#define OD_PLAN_OPTIONS_H

#include "plan/plan.h"

/*
 * Fills plan->options: as asked first, then changes that save memory, those that fit before those
 * that do not, the cheapest first. Changes that save next to nothing are left out.
 */
void od_plan_add_options(struct od_plan *plan);

#endif
