#include "diagnose/data_set.h"
#include "diagnose/finding.h"

/*
 * Two signatures: the refused request is itself a whole data set, or few huge chunks fill the
 * device, each many times what the failing tensor's batch would need.
 */
static const double huge_chunk_share =
    0.2; /* of what is in use; the lesser of a data set's arrays */
static const double huge_total_share = 0.5;
static const uint64_t large_copy_bytes = 256U << 20; /* below it, it may well be a batch */
enum { HUGE_COUNT_MAX = 2, HUGE_SAMPLES_RATIO = 8 };
static const uint64_t huge_sample_bytes = 64U << 20; /* no layer keeps as much of one sample */

/* All that the request may have: the allocator's limit, else what the device has. */
static const char *all_of(const struct od_scene *scene, char text[static OD_BYTES_TEXT])
{
    return scene->limit.known ? od_bytes_print_u64(scene->limit.n, text)
                              : od_bytes_print(scene->capacity, text);
}

static void say_request(struct od_diagnosis_context *context, const struct od_scene *scene,
                        double probability)
{
    char need[OD_BYTES_TEXT], limit[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_DATASET_ON_DEVICE,
                       probability >= 0.6 ? OD_LIKELY : OD_POSSIBLE, probability);
    const struct od_shape *shape = &scene->incident->tensor.shape;
    if (scene->hint.dataset_like)
        od_finding_say(context, finding,
                       "%s were asked for in one array of %llu samples: a whole data set, not a "
                       "batch.",
                       od_bytes_print(scene->asked, need), (unsigned long long)shape->dims[0]);
    else if (od_scene_exceeds_limit(scene))
        od_finding_say(
            context, finding,
            "%s were asked for as one array of the program, of the %s that it may have in all: "
            "certainly no batch size changes that. A whole data set seems to be handed over at "
            "once.",
            od_bytes_print(scene->asked, need), all_of(scene, limit));
    else
        od_finding_say(context, finding,
                       "%s were asked for as one array of the program, outside of any step: a "
                       "whole data set seems to be handed over at once. What the device has is "
                       "not in the log (--capacity SIZE).",
                       od_bytes_print(scene->asked, need));
    od_finding_scene(finding, scene);
    if (scene->hint.dataset_like) {
        od_finding_count(finding, "samples_count", od_count_of(shape->dims[0]));
        od_finding_bytes(finding, "sample_bytes", scene->hint.per_sample);
    }
}

/* The request is as large as arrays whose shape the log prints. */
static bool say_printed(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    enum { SAMPLES_LEAST = 1000 };
    char limit[OD_BYTES_TEXT];
    const struct od_shape *shape = od_data_set_asked_for(context->c, scene);
    if (!shape || shape->dims[0] < SAMPLES_LEAST || scene->need.lo < large_copy_bytes)
        return false;
    char need[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, OD_CAUSE_DATASET_ON_DEVICE, OD_LIKELY,
                                                od_scene_exceeds_limit(scene) ? 0.9 : 0.75);
    od_finding_say(context, finding,
                   "%s were asked for: as much as all %llu samples of the data take, whose shape "
                   "the log prints%s.",
                   od_bytes_print(scene->asked, need), (unsigned long long)shape->dims[0],
                   od_scene_exceeds_limit(scene)
                       ? od_arena_printf(context->arena,
                                         ", and more than the %s it may have in all: "
                                         "certainly no batch size changes that",
                                         all_of(scene, limit))
                       : "");
    od_finding_scene(finding, scene);
    od_finding_count(finding, "samples_count", od_count_of(shape->dims[0]));
    return true;
}

/* A library of arrays: what it is asked for are the program's data, mostly. */
static void say_array(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    char need[OD_BYTES_TEXT];
    bool alone = scene->in_use.known;
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_DATASET_ON_DEVICE, OD_POSSIBLE, alone ? 0.5 : 0.42);
    od_finding_say(context, finding,
                   alone ? "%s were asked for in one array, and little else was held: that array "
                           "alone does not fit."
                         : "%s asked for and not to be had by a library of arrays: the data of "
                           "the program do not fit on the device at once.",
                   scene->need.known ? od_bytes_print(scene->asked, need) : "More memory was");
    od_finding_scene(finding, scene);
}

/* The program's array did not get onto the device, and nobody said how large it is. Where the pool
 * is all but empty it is larger than that; where Keras was making a data set of it, it is one. */
static void say_copied(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    static const double empty_share = 0.25;
    static const char *const constants[] = {"_EagerConst", NULL};
    double used = od_share(scene->in_use, scene->limit);
    bool empty = scene->in_use.known && scene->limit.known && used < empty_share;
    bool keras = od_incident_says(scene->incident, constants);
    for (size_t i = 0; i < scene->incident->nframes; i++)
        keras |= od_view_has(scene->incident->frames[i].file, OD_VIEW("data_adapter"));
    if ((!empty && !keras) || (scene->limit.known && !empty))
        return;
    struct od_finding *finding = od_finding_add(
        context, OD_CAUSE_DATASET_ON_DEVICE, empty ? OD_LIKELY : OD_POSSIBLE, empty ? 0.7 : 0.45);
    finding->summary = empty ? "An array of the program did not get onto a device whose pool is "
                               "nearly empty: a whole data set seems to be handed over at once."
                             : "An array of the program did not get onto the device: a whole data "
                               "set may be handed over at once.";
    od_finding_scene(finding, scene);
}

static bool is_huge(const struct od_size *size, const struct od_scene *scene)
{
    double in_use = (double)scene->dump->in_use_bytes;
    uint64_t of_one = size->bytes / scene->hint.batch.n;
    return size->count <= HUGE_COUNT_MAX && of_one >= huge_sample_bytes &&
           (double)size->total >= huge_chunk_share / 2 * in_use &&
           of_one / HUGE_SAMPLES_RATIO >= scene->hint.per_sample.n;
}

static void look_at_chunks(struct od_diagnosis_context *context, const struct od_scene *scene)
{
    uint64_t total = 0, count = 0, largest = 0;
    if (!scene->dump || !scene->dump->has_chunks || !scene->hint.batch.known ||
        scene->hint.batch.n == 0 || !scene->hint.per_sample.known)
        return;
    for (size_t i = 0; i < scene->dump->nsizes; i++) {
        const struct od_size *size = &scene->dump->sizes[i];
        if (!is_huge(size, scene) || ckd_add(&total, total, size->total))
            continue;
        count += size->count;
        largest = size->bytes > largest ? size->bytes : largest;
    }
    if (count == 0 || (double)total < huge_total_share * (double)scene->dump->in_use_bytes ||
        (double)largest < huge_chunk_share * (double)scene->dump->in_use_bytes)
        return;
    char total_text[OD_BYTES_TEXT], use_text[OD_BYTES_TEXT], one[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_DATASET_ON_DEVICE, OD_LIKELY, 0.75);
    od_finding_say(
        context, finding,
        "%llu chunks hold %s of the %s in use. A batch of %llu does not explain them "
        "(one sample takes %s in the tensor that failed): a data set seems to lie on the "
        "device.",
        (unsigned long long)count, od_bytes_print_u64(total, total_text),
        od_bytes_print_u64(scene->dump->in_use_bytes, use_text),
        (unsigned long long)scene->hint.batch.n, od_bytes_print(scene->hint.per_sample, one));
    od_finding_scene(finding, scene);
    od_finding_count(finding, "huge_chunks_count", od_count_of(count));
    od_finding_count(finding, "huge_chunks_bytes", od_count_of(total));
    od_finding_count(finding, "largest_chunk_bytes", od_count_of(largest));
}

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || !od_scene_is_device(&scene))
        return;
    if (say_printed(context, &scene))
        return;
    if (scene.hint.constant && od_scene_exceeds_limit(&scene))
        say_request(context, &scene, 0.92);
    else if (scene.hint.constant && scene.need.known && scene.need.lo >= large_copy_bytes &&
             !scene.limit.known)
        say_request(context, &scene, 0.7);
    else if (scene.copied && scene.need.known && scene.need.lo >= large_copy_bytes &&
             od_scene_exceeds_limit(&scene))
        say_request(context, &scene, 0.8);
    else if (scene.copied && !scene.need.known)
        say_copied(context, &scene);
    else if (scene.hint.dataset_like)
        say_request(context, &scene, od_scene_exceeds_limit(&scene) ? 0.9 : 0.45);
    else if (od_scene_is_arrays(&scene))
        say_array(context, &scene);
    else
        look_at_chunks(context, &scene);
}

const struct od_diagnoser od_diagnoser_dataset_on_device = {"dataset_on_device", look};
