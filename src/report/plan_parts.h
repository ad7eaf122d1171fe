/* What the text and the JSON of a plan share. */
#pragma once

#include "plan/plan.h"

enum { OD_PLAN_PARTS = 9 };

struct od_plan_part {
    const char *words;
    const struct od_part *part;
};

/* The parts of a breakdown in the contract's order. */
void od_plan_parts(const struct od_breakdown *breakdown,
                   struct od_plan_part ret_parts[static OD_PLAN_PARTS]);

/* "fsdp", "zero2"; NULL = none. */
const char *od_plan_sharding(const struct od_workload *workload);

/* Its name where it has one, else the format it is printed in. */
struct od_view od_plan_model_name(const struct od_model *model);
