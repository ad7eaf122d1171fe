#include "diagnose/finding.h"
#include "diagnose/host.h"

/*
 * An array of many samples: its first dimension counts a thousand at least, and far more than any
 * other does (of pictures, volumes: twice is enough). A batch is not made of thousands.
 */
enum { SAMPLES = 1000, FAR_MORE = 4, DIMS = 2 };
static const uint64_t large_array = UINT64_C(1) << 30;

static bool is_dataset(const struct od_shape *shape)
{
    uint64_t largest = 0;
    if (!shape->known || shape->n < DIMS || shape->dims[0] == OD_DIM_UNKNOWN)
        return false;
    for (uint32_t i = 1; i < shape->n; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN)
            return false;
        largest = shape->dims[i] > largest ? shape->dims[i] : largest;
    }
    bool pictures = shape->n >= 3 && shape->dims[0] / 2 >= largest;
    return shape->dims[0] >= SAMPLES && (pictures || shape->dims[0] / FAR_MORE >= largest);
}

/* A call that reads a file as a whole, or the run's own last words. */
static void say_reading(struct od_diagnosis_context *context, const struct od_host_failure *host)
{
    const struct od_failure *failure = host->failure;
    bool file = failure->telling && od_means(failure->telling->means, OD_FRAME_WHOLE_FILE);
    bool doing = failure->doing && failure->doing->what == OD_DOING_DATA;
    if ((!file && !doing) || od_beyond_machines(failure->need)) /* which no data have */
        return;
    struct od_finding *finding =
        od_finding_add(context, file ? OD_CLUE(DATASET_IN_HOST_MEMORY, whole_file)
                                     : OD_CLUE(DATASET_IN_HOST_MEMORY, reading_last));
    finding->summary =
        file ? "Host memory ran out in a call that reads a whole file."
        : failure->incident->kind == OD_INC_UNEXPLAINED_KILL
            ? "The run was killed while it read its data: if memory was the reason, too much of "
              "the data is loaded at once."
            : "Host memory ran out while the run read its data: too much of it is loaded at once.";
    od_finding_host(context, finding, host);
    if (doing)
        od_finding_doing(context, finding);
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    if (!od_host_failure_of(context, &host) || host.failure->phase == OD_PHASE_REPLAY)
        return;
    if (host.failure->incident->kind != OD_INC_HOST_ALLOC_FAILED) {
        say_reading(context, &host);
        return;
    }
    const struct od_tensor *tensor = &host.failure->incident->tensor;
    struct od_bytes need = host.failure->need;
    bool meant = need.known && need.hi >= large_array && !od_failure_is_garbage(host.failure);
    bool shaped = is_dataset(&tensor->shape) && meant;
    bool reading = host.failure->phase == OD_PHASE_INPUT && meant &&
                   !od_phase_reads_one_sample(host.failure->incident);
    if (!shaped && !reading) {
        say_reading(context, &host);
        return;
    }
    struct od_finding *finding =
        od_finding_add(context, shaped ? OD_CLUE(DATASET_IN_HOST_MEMORY, shaped)
                                       : OD_CLUE(DATASET_IN_HOST_MEMORY, reading));
    if (shaped)
        od_finding_say(context, finding,
                       "%s was requested for one array of %llu samples: the whole dataset is "
                       "loaded into RAM at once.",
                       od_bytes_text(context->arena, need),
                       (unsigned long long)tensor->shape.dims[0]);
    else
        od_finding_say(
            context, finding,
            "%s was requested while data was read: the whole dataset is loaded into RAM at once.",
            od_bytes_text(context->arena, need));
    od_finding_host(context, finding, &host);
    if (shaped)
        od_finding_count(finding, "samples_count", od_count_of(tensor->shape.dims[0]));
}

const struct od_diagnoser od_diagnoser_dataset_in_host_memory = {"dataset_in_host_memory", look};
