/*
 * Prepares a model for a step: lays out nested models that are known networks (known_nets.h), and
 * marks leading layers that are frozen according to the totals.
 */
#pragma once

#include "facts/model.h"

/* The model itself if there is nothing to do; otherwise a copy in arena, which is not freed. */
const struct od_model *od_model_resolve(const struct od_model *model, struct od_arena *arena);
