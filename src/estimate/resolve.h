/*
 * Prepares a model for a step: expands nested models that are known networks (known_nets.h), and
 * marks leading layers that are frozen according to the totals.
 */
#pragma once

#include "facts/model.h"

/* Returns the model itself if it needs no change, otherwise a copy in arena. */
const struct od_model *od_model_resolve(const struct od_model *model, struct od_arena *arena);
