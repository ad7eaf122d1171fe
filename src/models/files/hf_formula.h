/*
 * Parameters of architectures whose blocks the planner does not know: a formula per model_type and
 * class over the keys of its configuration (src/models/architectures.tsv).
 */
#pragma once

#include "base/base.h"

#include <jansson.h>

/* Unknown for a type or class without a formula, or if a value is not one that the formula is for.
 */
struct od_count od_hf_formula(json_t *config);
