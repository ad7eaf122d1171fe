#include "diagnose/finding.h"
#include "diagnose/prepared.h"
#include "diagnose/scene.h"

static const double small_request = 0.02; /* of the device: a batch of one that is nearly in */
static const double fixed_share = 0.85; /* of the limit, whatever the batch: hardly room for one */
static const double most_share = 0.7;   /* what it leaves is little for any batch */

/* A map of devices found no room on them for all of the weights. */
static const char *const placed[] = {"modules are dispatched on the CPU", NULL};

/* Weights are loaded, gathered or given their optimizer state; nothing of it grows with the batch.
 */
static bool is_about_weights(const struct od_scene *scene)
{
    static const char *const loading[] = {"load_tensors", "llama_model_load",
                                          "unable to load model", "failed to load model", NULL};
    bool first = scene->progress == 0;
    return (scene->phase == OD_PHASE_LOAD && first) || scene->phase == OD_PHASE_OPTIMIZER ||
           scene->phase == OD_PHASE_GATHER || od_incident_says(scene->incident, loading) ||
           od_incident_says(scene->incident, placed);
}

/* Weights on their way to a device that this process has filled: its own, or a model that an
 * earlier cell of a notebook left there. */
static bool fills_by_loading(const struct od_scene *scene)
{
    static const double nearly_all = 0.8;
    return scene->phase == OD_PHASE_LOAD && scene->progress == 0 && scene->in_use.known &&
           scene->capacity.known &&
           (double)scene->in_use.n >= nearly_all * (double)scene->capacity.n;
}

/* Why the batch is not what matters, and how much it weighs; no words = nothing says so. */
struct basis {
    const char *words;
    double probability;
};

/* The first things that a run asks for are its variables; a matrix among them is no activation. */
static bool is_made_first(const struct od_scene *scene)
{
    enum { FIRST_ALLOCATIONS = 256 };
    return scene->allocations.known && scene->allocations.n < FIRST_ALLOCATIONS &&
           scene->hint.role == OD_TENSOR_UNKNOWN && scene->incident->tensor.shape.known &&
           scene->incident->tensor.shape.n == 2 && scene->progress == 0;
}

/* A model that worked for so long does fit. */
static bool has_fitted(const struct od_scene *scene)
{
    enum { LONG_ALLOCATIONS = 200000, LONG_PROGRESS = 10 };
    return scene->progress >= LONG_PROGRESS ||
           (scene->allocations.known && scene->allocations.n >= LONG_ALLOCATIONS);
}

static struct basis basis_of(const struct od_diagnosis_context *context,
                             const struct od_scene *scene, double before)
{
    if (od_scene_model_share(context, scene) >= fixed_share)
        return (struct basis){"were refused where weights and optimizer states, which do not "
                              "shrink with the batch, take nearly all of the limit.",
                              0.8};
    if (before >= most_share)
        return (struct basis){"were refused where what was on the device before the first step, "
                              "which does not shrink with the batch, takes most of it.",
                              before >= fixed_share ? 0.8 : 0.5};
    const struct od_shape_hint *hint = &scene->hint;
    bool stated_one = scene->batch.known && scene->batch.n == 1;
    bool shown_one = hint->role == OD_TENSOR_ACTIVATION && hint->batch.known && hint->batch.n == 1;
    double share = od_scene_need_share(scene);
    bool one = (stated_one || shown_one) && share > 0 && share < small_request;
    bool weight = hint->role == OD_TENSOR_WEIGHT && !hint->restored;
    if (scene->phase == OD_PHASE_GATHER && !one) /* only the last straw on what a batch keeps */
        return (struct basis){"were refused while sharded weights were gathered.",
                              scene->batch.known ? 0.45 : 0.55};
    if (fills_by_loading(scene) && !hint->restored)
        return (struct basis){"were refused while weights were brought to the device, which what "
                              "this process holds already fills.",
                              0.78};
    if (weight || is_about_weights(scene))
        return (struct basis){"were refused for a parameter, its gradient or its optimizer "
                              "state: these do not shrink with the batch.",
                              one || !weight ? 0.7 : 0.6};
    if (is_made_first(scene))
        return (struct basis){
            "were refused for a matrix among the first things that were made: the "
            "variables of the model, it seems.",
            0.5};
    if (one)
        return (struct basis){"were refused at a batch of one: what does not shrink with the "
                              "batch fills the device.",
                              has_fitted(scene) ? 0.4 : 0.55};
    if (od_scene_is_server(scene) && scene->progress == 0 && !od_scene_is_waking(scene))
        return (struct basis){"were refused to a server of one model that did not serve yet: its "
                              "weights take most of what such a server needs.",
                              0.5};
    return (struct basis){0};
}

/* What only serves has weights alone, and few of its programs spread them over devices. */
static bool serves_alone(const struct od_scene *scene)
{
    static const char *const spread[] = {"vllm", "sglang", NULL};
    return od_scene_is_server(scene) && !od_view_eq_any(scene->incident->producer, spread);
}

static void choose(struct od_finding *finding, const struct od_scene *scene)
{
    if (scene->phase == OD_PHASE_OPTIMIZER) {
        finding->first = "smaller_optimizer";
    } else if (od_incident_says(scene->incident, placed)) {
        finding->first = "offload";
        finding->vain = "sharding";
    } else if (serves_alone(scene)) {
        finding->first = "quantize";
        finding->vain = "sharding";
    }
}

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || !od_scene_is_device(&scene) ||
        context->diagnosis->outcome == OD_OUTCOME_SURVIVED)
        return;
    struct od_prepared prepared = {0};
    double before = od_prepared_share(context->c, &scene, &prepared);
    struct basis basis = basis_of(context, &scene, before);
    if (!basis.words)
        return;
    if (scene.verdict == OD_VERDICT_DEVICE_REFUSED)
        basis.probability = 0.2;
    char need[OD_BYTES_TEXT];
    const char *size =
        scene.need.known ? od_bytes_print(scene.asked, need) : "Requests of unknown size";
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_MODEL_TOO_LARGE,
                       basis.probability >= 0.75 ? OD_LIKELY : OD_POSSIBLE, basis.probability);
    finding->summary = od_arena_printf(context->arena, "%s %s", size, basis.words);
    finding->grows_in = scene.phase == OD_PHASE_LOAD || od_scene_is_server(&scene) ||
                                od_incident_says(scene.incident, placed)
                            ? OD_SERIES_PHASE_LOAD
                            : OD_SERIES_PHASE_NONE;
    choose(finding, &scene);
    if (!scene.dump && od_scene_model_share(context, &scene) >= 1) /* weights alone */
        finding->first = "smaller_model";
    od_finding_scene(finding, &scene);
    if (before >= most_share)
        od_finding_evidence(finding, &prepared.said);
}

const struct od_diagnoser od_diagnoser_model_too_large = {"model_too_large", look};
