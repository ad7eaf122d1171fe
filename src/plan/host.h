/*
 * The host side of a plan: RAM and /dev/shm for loading data.
 */
#pragma once

#include "plan/plan.h"

/* Fills plan->host from the request (sample, workers, RAM, shm, data set) and the workload's
 * offloaded memory. */
void od_plan_add_host(struct od_plan *plan, struct od_arena *arena);
