#include "diagnose/finding.h"
#include "failure/failure.h"

/* Many times the device: nobody means that. */
static const double absurd_ratio = 6.0;
static const uint64_t outer_side = 10000;
static const double outer_share = 0.5;
enum { same_side = 100 }; /* sides that differ by less come from one count */

static bool is_outer_product(const struct od_shape *shape)
{
    if (!shape->known || shape->n != 2 || shape->dims[0] == OD_DIM_UNKNOWN ||
        shape->dims[1] == OD_DIM_UNKNOWN)
        return false;
    uint64_t a = shape->dims[0], b = shape->dims[1];
    uint64_t gap = a > b ? a - b : b - a;
    return a >= outer_side && b >= outer_side && gap <= a / same_side;
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || !failure->need.known)
        return;
    bool host = failure->incident->kind == OD_INC_HOST_ALLOC_FAILED;
    if ((!host && !od_failure_is_device(failure)) ||
        od_incident_says(failure->incident, OD_SAID_COMPUTE_BUFFER))
        return; /* no tensor of anybody's program */
    double share = host ? 0.0 : od_failure_need_share(failure);
    bool absurd = od_failure_is_garbage(failure);
    bool outer = is_outer_product(&failure->incident->tensor.shape) &&
                 (host || share >= outer_share || !failure->limit.known);
    bool beyond = host ? od_beyond_machines(failure->need) : od_beyond_devices(failure->need);
    bool many = share >= absurd_ratio && !failure->hint.constant && !failure->hint.dataset_like;
    if (!absurd && !outer && !many && !beyond)
        return;
    enum od_clue sign = absurd           ? OD_CLUE(ACCIDENTAL_SHAPE, absurd)
                        : many || beyond ? OD_CLUE(ACCIDENTAL_SHAPE, many_times)
                        : host           ? OD_CLUE(ACCIDENTAL_SHAPE, square_on_host)
                                         : OD_CLUE(ACCIDENTAL_SHAPE, square);
    char need[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, sign);
    od_finding_say(
        context, finding,
        "One tensor takes %s, %s: check for a wrong axis, a broadcast or an outer product.",
        od_bytes_print(failure->asked, need),
        absurd   ? failure->incident->limit.known ? "many times what the program may have"
                                                  : "more than any machine has"
        : many   ? "many times the memory of the device"
        : beyond ? host ? "more than nearly any machine has" : "more than any device has"
                 : "a large square matrix");
    od_finding_failure(finding, failure);
}

const struct od_diagnoser od_diagnoser_accidental_shape = {"accidental_shape", look};
