#include "diagnose/scene.h"

static void look(struct od_diagnosis_context *context)
{
    static const double small_request = 0.02; /* of the limit: a batch of one that is nearly in */
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || context->diagnosis->outcome == OD_OUTCOME_SURVIVED)
        return;
    bool weight = scene.hint.role == OD_TENSOR_WEIGHT && !scene.hint.restored;
    bool one = (scene.batch.known && scene.batch.n == 1) ||
               (scene.hint.role == OD_TENSOR_ACTIVATION && scene.hint.batch.known &&
                scene.hint.batch.n == 1);
    if (!weight && !(one && od_scene_need_share(&scene) < small_request))
        return;
    double probability = weight && one ? 0.7 : weight ? 0.6 : 0.55;
    if (scene.verdict == OD_VERDICT_DEVICE_REFUSED)
        probability = 0.2;
    char need[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_MODEL_TOO_LARGE, OD_POSSIBLE, probability);
    od_finding_say(context, finding,
                   weight ? "%s were refused for a parameter, its gradient or its optimizer state: "
                            "these do not shrink with the batch."
                          : "%s were refused at a batch of one: what does not shrink with the "
                            "batch fills the device.",
                   scene.need.known ? od_bytes_print(scene.need, need) : "An unknown size");
    od_finding_scene(finding, &scene);
}

const struct od_diagnoser od_diagnoser_model_too_large = {"model_too_large", look};
