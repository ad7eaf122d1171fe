/* What we would run: the cheapest way that fits, with the reasons. */
#pragma once

#include "plan/plan.h"

/* Fills plan->recommendation from the options, and plan->devices. */
void od_plan_recommend(struct od_plan *plan, struct od_arena *arena);
