/*
 * The recommendation: the cheapest way that fits, with reasons.
 */
#pragma once

#include "plan/plan.h"

/* Sets plan->recommendation from the options, and plan->devices. */
void od_plan_recommend(struct od_plan *plan, struct od_arena *arena);
