/* The host side of a plan: what loading takes of RAM and /dev/shm. */
#pragma once

#include "plan/plan.h"

/* Fills plan->host from the request's sample, workers, RAM, shm and data set, and from what its
 * workload offloads. */
void od_plan_add_host(struct od_plan *plan, struct od_arena *arena);
