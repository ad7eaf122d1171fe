/*
 * A model as a step needs it: nested models that are known networks laid out (known_nets.h), and
 * layers at its bottom that the totals say are not trained marked so.
 */
#pragma once

#include "facts/model.h"

/* The model itself where nothing is to be done; else a copy in arena, which is not freed. */
const struct od_model *od_model_resolve(const struct od_model *model, struct od_arena *arena);
