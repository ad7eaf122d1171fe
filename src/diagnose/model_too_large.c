#include "diagnose/scene.h"

/* Weights are loaded, gathered or given their optimizer state; nothing of it grows with the batch.
 */
static bool is_about_weights(const struct od_scene *scene)
{
    static const char *const loading[] = {"load_tensors", "llama_model_load",
                                          "unable to load model", "failed to load model", NULL};
    bool first = scene->progress == 0;
    return (scene->phase == OD_PHASE_LOAD && first) || scene->phase == OD_PHASE_OPTIMIZER ||
           scene->phase == OD_PHASE_GATHER || od_incident_says(scene->incident, loading);
}

/* Servers of one model put its weights first, and what is left goes to cache and buffers. */
static bool is_bare_server(const struct od_scene *scene)
{
    return od_view_eq_str(scene->incident->producer, "llamacpp") ||
           od_view_eq_str(scene->incident->producer, "ollama");
}

static void look(struct od_diagnosis_context *context)
{
    static const double small_request = 0.02; /* of the limit: a batch of one that is nearly in */
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || context->diagnosis->outcome == OD_OUTCOME_SURVIVED)
        return;
    if (!od_scene_is_device(&scene))
        return;
    bool held = is_about_weights(&scene);
    bool many = scene.batch.known && scene.batch.n > 1;
    bool weight = scene.hint.role == OD_TENSOR_WEIGHT && !scene.hint.restored;
    bool one = (scene.batch.known && scene.batch.n == 1) ||
               (scene.hint.role == OD_TENSOR_ACTIVATION && scene.hint.batch.known &&
                scene.hint.batch.n == 1);
    one = one && od_scene_need_share(&scene) < small_request;
    bool served = !weight && !held && !one && is_bare_server(&scene);
    if (!weight && !held && !one && !served)
        return;
    double probability = held || (weight && one) ? 0.7 : weight ? 0.6 : 0.55;
    if (served)
        probability = 0.5;
    /* Gathering is only the last straw on top of what a batch keeps. */
    if (scene.phase == OD_PHASE_GATHER && !one)
        probability = many ? 0.45 : 0.55;
    if (scene.verdict == OD_VERDICT_DEVICE_REFUSED)
        probability = 0.2;
    char need[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_MODEL_TOO_LARGE, OD_POSSIBLE, probability);
    od_finding_say(context, finding,
                   weight || held
                       ? "%s were refused for a parameter, its gradient or its optimizer state: "
                         "these do not shrink with the batch."
                   : served ? "%s were refused to a server of one model: its weights take most of "
                              "what such a server needs."
                            : "%s were refused at a batch of one: what does not shrink with the "
                              "batch fills the device.",
                   scene.need.known ? od_bytes_print(scene.need, need) : "An unknown size");
    od_finding_scene(finding, &scene);
}

const struct od_diagnoser od_diagnoser_model_too_large = {"model_too_large", look};
