#include "report/plan_parts.h"

void od_plan_parts(const struct od_breakdown *b,
                   struct od_plan_part ret_parts[static OD_PLAN_PARTS])
{
    const struct od_plan_part parts[OD_PLAN_PARTS] = {
        {"weights", &b->parameters},
        {"gradients", &b->gradients},
        {"optimizer state", &b->optimizer},
        {"buffers", &b->buffers},
        {"activations", &b->activations},
        {"inputs", &b->inputs},
        {"workspace", &b->workspace},
        {"framework, context", &b->framework},
        {"allocator slack", &b->allocator_waste},
    };
    memcpy(ret_parts, parts, sizeof parts);
}

const char *od_plan_sharding(const struct od_workload *workload)
{
    static const char *const stages[] = {NULL, "zero1", "zero2", "zero3"};
    if (workload->fsdp)
        return "fsdp";
    return workload->zero_stage < 4 ? stages[workload->zero_stage] : NULL;
}

struct od_view od_plan_model_name(const struct od_model *model)
{
    return model->name.n > 0 ? model->name : od_view_of(od_model_format_name(model->format));
}
