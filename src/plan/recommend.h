/*
 * The recommendation of a plan: the cheapest option that fits, with reasons.
 */
#pragma once

#include "plan/plan.h"

/* Sets plan->recommendation and plan->devices from the options. */
void od_plan_recommend(struct od_plan *plan, struct od_arena *arena);
