#include "diagnose/scene.h"

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || !od_scene_is_device(&scene))
        return;
    bool loading = scene.phase == OD_PHASE_LOAD && scene.progress > 0;
    if ((!scene.hint.restored && !loading) || scene.verdict == OD_VERDICT_DEVICE_REFUSED)
        return;
    bool late = scene.progress > 0;
    char need[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_MODEL_RELOAD, late ? OD_LIKELY : OD_POSSIBLE,
                       late ? (loading ? 0.7 : 0.8) : 0.5);
    od_finding_say(context, finding,
                   late ? "%s were refused while a checkpoint was loaded, after steps that worked: "
                          "a second copy of the model comes to lie beside the first."
                        : "%s were refused while a checkpoint was loaded: a copy of the weights "
                          "may lie beside those that were there.",
                   scene.need.known ? od_bytes_print(scene.need, need) : "An unknown size");
    od_finding_scene(finding, &scene);
}

const struct od_diagnoser od_diagnoser_model_reload = {"model_reload", look};
