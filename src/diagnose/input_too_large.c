#include "diagnose/finding.h"
#include "diagnose/shares.h"
#include "diagnose/single.h"
#include "failure/failure.h"
#include "failure/found.h"
#include "failure/remarks.h"

/* One sample of one tensor as a share of all memory: a network keeps dozens of such tensors. */
static const double large_sample_share = 0.05;
static const double noticeable_sample_share = 0.02;
enum { SMALL_BATCH = 2 };

enum { LONG_SEQUENCE = 4096, LARGE_IMAGE = 1024 };

/* No tensor is shown, but the log states the batch: where it is one already and a good part of the
 * device is asked for at once, that is one sample's. So it is where samples are stated to be huge.
 */
static void look_at_settings(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_prov *at = &failure->incident->at;
    struct od_count length = od_failure_setting(context->c, OD_SETTING_SEQUENCE_LENGTH, at);
    struct od_count side = od_failure_setting(context->c, OD_SETTING_IMAGE_SIZE, at);
    bool huge =
        (length.known && length.n >= LONG_SEQUENCE) || (side.known && side.n >= LARGE_IMAGE);
    bool big = od_failure_need_share(failure) >= noticeable_sample_share;
    if (!failure->batch.known || failure->batch.n > SMALL_BATCH || failure->evaluates ||
        failure->phase == OD_PHASE_LOAD || failure->phase == OD_PHASE_OPTIMIZER ||
        od_shares_exceed(context) || !(huge || (big && failure->batch.n == 1)))
        return;
    struct od_finding *finding =
        od_finding_add(context, big && huge ? OD_CLUE(INPUT_TOO_LARGE, huge_and_asked)
                                            : OD_CLUE(INPUT_TOO_LARGE, huge_or_asked));
    od_finding_say(context, finding,
                   "%s could not be allocated at batch size %llu: the sample size (resolution, "
                   "sequence length) determines the need.",
                   failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                       : "Requests of unknown size",
                   (unsigned long long)failure->batch.n);
    od_finding_failure(finding, failure);
    od_finding_count(finding, "batch_count", failure->batch);
    od_finding_count(finding, "sequence_length_count", length);
    od_finding_count(finding, "image_size_count", side);
}

/* One picture, larger than networks are made for; of what device, the log does not say. */
static void look_at_picture(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_shape *shape = &failure->incident->tensor.shape;
    uint64_t sides = 0;
    for (uint32_t i = 1; i < shape->n; i++)
        sides += shape->dims[i] != OD_DIM_UNKNOWN && shape->dims[i] >= LARGE_IMAGE;
    if (!failure->hint.image_like || failure->hint.batch.n > SMALL_BATCH || sides < 2)
        return;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(INPUT_TOO_LARGE, one_picture));
    finding->summary = "The tensor that failed belongs to a single large image: its resolution "
                       "determines the need.";
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "sample_bytes", failure->hint.per_sample);
    od_finding_count(finding, "batch_count", failure->hint.batch);
}

/* A program of its own that computes on the device: how much it takes on at once is its usual
 * cause. */
static void look_at_work(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    if (failure->of_network || failure->of_arrays)
        return;
    struct od_finding *finding = od_finding_add(
        context, od_beyond_devices(failure->need) || od_failure_exceeds_limit(failure)
                     ? OD_CLUE(INPUT_TOO_LARGE, work_exceeds)
                     : OD_CLUE(INPUT_TOO_LARGE, work));
    if (od_remark_find(context->c, failure->incident, "least_vain"))
        od_finding_clue(finding, OD_CLUE(INPUT_TOO_LARGE, work_vain));
    if (od_found_room_then(context->c, failure->incident))
        od_finding_clue(finding, OD_CLUE(INPUT_TOO_LARGE, room_shown));
    od_finding_say(context, finding,
                   "%s could not be allocated. The usual cause in a program that trains no network "
                   "is the size of its work (grid, picture, table, search); the log does not show "
                   "it.",
                   failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                       : "Requests of unknown size");
    od_finding_failure(finding, failure);
}

/* Nothing shows a batch, and something shows that it is not what matters: then one sample is. */
static void look_at_single(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    struct od_single single = od_single_of(context);
    bool of_tensor = !od_incident_says(failure->incident, OD_SAID_DRIVER) &&
                     failure->phase != OD_PHASE_LOAD && failure->phase != OD_PHASE_OPTIMIZER &&
                     !od_shares_exceed(context);
    const struct {
        bool holds;
        enum od_clue sign;
        const char *why;
    } signs[] = {
        {single.exceeds, OD_CLUE(INPUT_TOO_LARGE, exceeds_device),
         "could not be allocated: more than the whole device has, in one piece. One sample, or a "
         "shape that is computed from it, determines the need."},
        {single.vain && !single.straw, OD_CLUE(INPUT_TOO_LARGE, told_vain),
         "could not be allocated, and a smaller batch is said not to be the way out: the size of "
         "one sample (resolution, length, number of points) determines the need."},
        {single.input, OD_CLUE(INPUT_TOO_LARGE, told),
         "could not be allocated, and the text speaks of a large input."},
        {single.scores, OD_CLUE(INPUT_TOO_LARGE, scores),
         "could not be allocated for the scores of attention, which grow with the square of the "
         "sequence length (of the number of pixels or points) unless a fused kernel makes them."},
        {single.of_one && of_tensor && !single.straw && !single.piles,
         OD_CLUE(INPUT_TOO_LARGE, of_one),
         "could not be allocated at batch size 1: the size of one sample (resolution, length) "
         "determines what is needed beside the model."},
        {single.of_one && of_tensor && single.piles, OD_CLUE(INPUT_TOO_LARGE, of_one_late),
         "could not be allocated at batch size 1, after work that had fit: a larger sample than "
         "before would explain it."},
        {single.batchless, OD_CLUE(INPUT_TOO_LARGE, batchless),
         "could not be allocated: in this program the size of its input (resolution, length, "
         "number of points) determines the need, as far as is known of it."},
        {single.infers && !single.straw, OD_CLUE(INPUT_TOO_LARGE, infers),
         "could not be allocated while a model was used, not trained: the size of one sample "
         "(resolution, length) determines what is needed beside the weights."},
    };
    struct od_finding *finding = NULL;
    for (size_t i = 0; i < OD_COUNT_OF(signs); i++) {
        if (!signs[i].holds)
            continue;
        if (finding) {
            od_finding_clue(finding, signs[i].sign);
            continue;
        }
        finding = od_finding_add(context, signs[i].sign);
        od_finding_say(context, finding, "%s %s",
                       failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                           : "Requests of unknown size",
                       signs[i].why);
        od_finding_failure(finding, failure);
    }
    if (finding && single.scores)
        finding->first = "efficient_attention";
    if (finding && single.vain)
        od_finding_evidence(finding, single.vain);
    if (finding && single.input)
        od_finding_evidence(finding, single.input);
}

/* One sample of the tensor that is shown is a good part of all there is. */
static void look_at_sample(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    if (failure->hint.role != OD_TENSOR_ACTIVATION || !failure->hint.per_sample.known ||
        !failure->limit.known || failure->limit.n == 0)
        return;
    double share = (double)failure->hint.per_sample.n / (double)failure->limit.n;
    bool few = failure->hint.batch.n <= SMALL_BATCH;
    if (share < noticeable_sample_share || (!few && share < large_sample_share))
        return;
    bool refused = failure->verdict == OD_VERDICT_DEVICE_REFUSED;
    enum od_clue sign = refused || od_failure_limit_is_tiny(failure)
                            ? OD_CLUE(INPUT_TOO_LARGE, sample_of_little_room)
                        : few ? OD_CLUE(INPUT_TOO_LARGE, large_sample_of_few)
                              : OD_CLUE(INPUT_TOO_LARGE, large_sample);
    struct od_finding *finding = od_finding_add(context, sign);
    od_finding_say(context, finding,
                   "One sample takes %s in this tensor alone, of %s in total, at batch size %llu: "
                   "the sample size (resolution, sequence length) determines the need.",
                   od_bytes_text(context->arena, failure->hint.per_sample),
                   od_bytes_text_u64(context->arena, failure->limit.n),
                   (unsigned long long)failure->hint.batch.n);
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "sample_bytes", failure->hint.per_sample);
    od_finding_count(finding, "batch_count", failure->hint.batch);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || !od_failure_is_device(failure) ||
        context->diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED ||
        (failure->progress == 0 && od_incident_says(failure->incident, OD_SAID_CONTEXT)))
        return; /* the work had not begun */
    size_t before = context->diagnosis->findings.n;
    look_at_work(context, failure);
    if (!failure->incident->tensor.shape.known && !failure->dump)
        look_at_settings(context, failure);
    if (!failure->limit.known && !failure->dump)
        look_at_picture(context, failure);
    look_at_sample(context, failure);
    if (context->diagnosis->findings.n == before)
        look_at_single(context, failure);
}

const struct od_diagnoser od_diagnoser_input_too_large = {"input_too_large", look};
