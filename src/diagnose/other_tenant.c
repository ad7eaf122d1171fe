#include "diagnose/scene.h"

#include "base/num.h"

/* A process that has the device to itself finds nearly all of it free, and takes nearly all. */
static const double taken_share = 0.6;
static const double usable_share = 0.9; /* a driver and a context keep the rest */

/*
 * Proof: what this run held and wanted together did not fit into what was free when it started,
 * but would have fitted into the empty device.
 */
static bool proves(const struct od_scene *scene)
{
    uint64_t wanted_lo, wanted_hi;
    uint64_t held = scene->in_use.known ? scene->in_use.n : 0;
    if (!scene->need.known || !scene->free_at_start.known || !scene->capacity.known ||
        !scene->one_device || ckd_add(&wanted_lo, scene->need.lo, held) ||
        ckd_add(&wanted_hi, scene->need.hi, held))
        return false;
    return wanted_lo > scene->free_at_start.hi &&
           (double)wanted_hi <= usable_share * (double)scene->capacity.lo;
}

static void say_free(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    char free_text[OD_BYTES_TEXT], capacity[OD_BYTES_TEXT], held[OD_BYTES_TEXT];
    bool proven = proves(scene);
    struct od_bytes taken = od_bytes_sub(scene->capacity, scene->free_at_start);
    struct od_finding *finding = od_finding_add(
        context, OD_CAUSE_OTHER_TENANT, proven ? OD_CERTAIN : OD_LIKELY, proven ? 0.95 : 0.9);
    od_finding_say(context, finding,
                   "Only %s of the device's %s were free when this run started: %s were held by "
                   "something else, another process or a run that had not ended.",
                   od_bytes_print(scene->free_at_start, free_text),
                   od_bytes_print(scene->capacity, capacity), od_bytes_print(taken, held));
    od_finding_scene(finding, scene);
    od_finding_bytes(finding, "free_at_start_bytes", scene->free_at_start);
    od_finding_bytes(finding, "capacity_bytes", scene->capacity);
    od_finding_bytes(finding, "held_by_others_bytes", taken);
    if (scene->device_said)
        od_finding_evidence(finding, scene->device_said);
}

static void say_small_share(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    bool told = od_case_setting(context->c, "gpu_memory_fraction").n > 0;
    char limit[OD_BYTES_TEXT], capacity[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, OD_CAUSE_OTHER_TENANT,
                                                told ? OD_POSSIBLE : OD_LIKELY, told ? 0.3 : 0.75);
    od_finding_say(context, finding,
                   "The framework took only %s of a device of %s. It takes nearly all that is "
                   "free unless told otherwise: something else seems to hold the rest.",
                   od_bytes_print_u64(scene->limit.n, limit),
                   od_bytes_print(scene->capacity, capacity));
    od_finding_scene(finding, scene);
    od_finding_bytes(finding, "capacity_bytes", scene->capacity);
    if (scene->device_said)
        od_finding_evidence(finding, scene->device_said);
}

static void say_refused(struct od_diagnosis_context *context, const struct od_scene *scene,
                        double probability)
{
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_OTHER_TENANT, OD_POSSIBLE, probability);
    od_finding_say(context, finding,
                   "The device gave this run less than its allocator counted on; another process "
                   "on the device would explain it. The log does not say what the device holds.");
    od_finding_scene(finding, scene);
}

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    if (!od_scene_of(context, &scene))
        return;
    bool known = scene.capacity.known && scene.capacity.lo > 0;
    double capacity = (double)scene.capacity.lo;
    if (known && scene.free_at_start.known) {
        if ((double)scene.free_at_start.hi < taken_share * capacity || proves(&scene))
            say_free(context, &scene);
    } else if (known && scene.limit.known && (double)scene.limit.n < taken_share / 2 * capacity) {
        say_small_share(context, &scene);
    } else if (scene.verdict == OD_VERDICT_DEVICE_REFUSED) {
        say_refused(context, &scene, 0.4);
    } else if (od_scene_limit_is_tiny(&scene)) {
        say_refused(context, &scene, 0.45);
    }
}

const struct od_diagnoser od_diagnoser_other_tenant = {"other_tenant", look};
