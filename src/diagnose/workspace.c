#include "diagnose/scene.h"

static uint64_t count_soft(const struct od_case *c)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->incidents.n; i++)
        if (c->incidents.items[i].kind == OD_INC_SOFT_WARNING &&
            ckd_add(&n, n, c->incidents.items[i].count))
            return UINT64_MAX;
    return n;
}

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || context->diagnosis->outcome == OD_OUTCOME_SURVIVED)
        return;
    bool convolution =
        od_view_has(scene.op, OD_VIEW("Conv")) || od_view_has(scene.op, OD_VIEW("conv"));
    bool scratch = scene.hint.role == OD_TENSOR_SCRATCH;
    bool context_failed = scene.incident->kind == OD_INC_DEVICE_CONTEXT_FAILED;
    uint64_t soft = count_soft(context->c);
    if (!scratch && !context_failed && soft == 0)
        return;
    double probability = context_failed ? 0.5 : scratch && convolution ? 0.5 : scratch ? 0.3 : 0.2;
    char need[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_WORKSPACE, OD_POSSIBLE, probability);
    od_finding_say(context, finding,
                   scratch ? "%s were asked for as raw bytes: scratch space of a library, not a "
                             "tensor of the model."
                           : "%s were asked for; libraries asked for scratch space beside the "
                             "tensors.",
                   scene.need.known ? od_bytes_print(scene.need, need) : "An unknown size");
    od_finding_scene(finding, &scene);
    od_finding_count(finding, "warnings_count", od_count_of(soft));
}

const struct od_diagnoser od_diagnoser_workspace = {"workspace", look};
