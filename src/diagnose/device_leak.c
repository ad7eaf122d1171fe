#include "diagnose/finding.h"
#include "diagnose/growth.h"
#include "diagnose/scene.h"
#include "diagnose/told.h"

/* Without a list of chunks, only that it worked for long tells: a leak fails late, and on
 * whatever small thing comes next. */
enum { LONG_ALLOCATIONS = 200000 };
static const double large_request = 0.05; /* of the limit: too large to be the last straw */

static void say_chunks(struct od_diagnosis_context *context, const struct od_scene *scene,
                       const struct od_accumulation *piled)
{
    char each[OD_BYTES_TEXT], total[OD_BYTES_TEXT], use[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, OD_CAUSE_DEVICE_LEAK, OD_LIKELY, 0.75);
    od_finding_say(context, finding,
                   "It failed after many steps that worked, and %llu equal chunks of %s hold %s of "
                   "the %s in use: something of each step seems to be kept.",
                   (unsigned long long)piled->size.count,
                   od_bytes_print_u64(piled->size.bytes, each),
                   od_bytes_print_u64(piled->size.total, total),
                   od_bytes_print_u64(scene->dump->in_use_bytes, use));
    od_finding_scene(finding, scene);
    od_finding_count(finding, "equal_chunks_count", od_count_of(piled->size.count));
    od_finding_count(finding, "equal_chunk_bytes", od_count_of(piled->size.bytes));
    od_finding_count(finding, "allocations_count", scene->allocations);
}

static void say_late(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    bool big = od_scene_need_share(scene) >= large_request;
    /* Where the message tells what is held, it is tensors: long sequences come late, too. */
    double probability = big ? 0.3 : scene->holders.own.known ? 0.45 : 0.57;
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_DEVICE_LEAK, OD_POSSIBLE, probability);
    od_finding_say(context, finding,
                   "It failed late, after work that had fitted: something on the device seems to "
                   "have grown. The log does not show what.");
    od_finding_scene(finding, scene);
    od_finding_count(finding, "allocations_count", scene->allocations);
    if (scene->progress > 0)
        od_finding_count(finding, "progress_lines_count", od_count_of(scene->progress));
}

/* The log does not tell, but somebody does. */
static bool say_told(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    const struct od_evidence *grows = od_told(context->c, scene->incident, "growth");
    const struct od_evidence *late = od_told(context->c, scene->incident, "late");
    if ((!grows && !late) || od_growth_refuted(context, scene->incident, false))
        return false;
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_DEVICE_LEAK, OD_POSSIBLE, grows ? 0.5 : 0.45);
    finding->summary =
        grows ? "The log does not show it, but who reports it says that memory grew."
              : "The log does not show it, but who reports it says that it failed late, "
                "after work that had fitted.";
    od_finding_scene(finding, scene);
    od_finding_evidence(finding, grows ? grows : late);
    return true;
}

static void say_growth(struct od_diagnosis_context *context, const struct od_scene *scene,
                       const struct od_growth *growth)
{
    struct od_finding *finding = od_finding_of_growth(context, OD_CAUSE_DEVICE_LEAK, growth);
    od_finding_say(context, finding,
                   "Memory of the device grew %s, and did not slow down before it failed: "
                   "something of each step is kept.",
                   od_growth_words(context, growth));
    od_finding_scene(finding, scene);
}

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || scene.verdict == OD_VERDICT_DEVICE_REFUSED ||
        scene.incident->kind != OD_INC_DEVICE_ALLOC_FAILED || scene.hint.restored ||
        od_scene_is_waking(&scene) || context->diagnosis->outcome == OD_OUTCOME_SURVIVED)
        return;
    struct od_growth growth;
    if (od_growth_of(context, scene.incident, false, &growth) && !growth.loading) {
        say_growth(context, &scene, &growth);
        return;
    }
    if (od_growth_of_few(context, scene.incident, false, &growth)) {
        say_growth(context, &scene, &growth);
        return;
    }
    struct od_accumulation piled = od_scene_accumulation(&scene);
    bool late =
        piled.ran_long || (scene.allocations.known && scene.allocations.n >= LONG_ALLOCATIONS);
    if (!late) {
        (void)say_told(context, &scene);
        return;
    }
    if (piled.many)
        say_chunks(context, &scene, &piled);
    else if ((!scene.dump || !scene.dump->chunks_complete) &&
             !od_growth_refuted(context, scene.incident, false))
        say_late(context, &scene);
}

const struct od_diagnoser od_diagnoser_device_leak = {"device_leak", look};
