/*
 * Number of parameters of architectures whose blocks the planner does not support: a formula for
 * each model_type and class over the keys of its configuration (src/models/architectures.tsv).
 */
#pragma once

#include "base/base.h"

#include <jansson.h>

/* Computes the formula. Unknown for a type or class without one, or if a value is one for which the
 * formula was not made. */
struct od_count od_hf_formula(json_t *config);
