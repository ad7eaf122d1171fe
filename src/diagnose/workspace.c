#include "diagnose/finding.h"
#include "failure/data_set.h"
#include "failure/failure.h"

static uint64_t count_soft(const struct od_case *c)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->incidents.n; i++)
        if (c->incidents.items[i].kind == OD_INC_SOFT_WARNING &&
            ckd_add(&n, n, c->incidents.items[i].count))
            return UINT64_MAX;
    return n;
}

/* DeepSpeed's buffers are as large as it was told, in elements of two or four bytes. */
static const struct od_setting *bucket_of(const struct od_case *c, struct od_bytes need)
{
    for (size_t i = c->settings.n; i > 0 && need.known; i--) {
        const struct od_setting *setting = &c->settings.items[i - 1];
        double elements;
        if (!od_means(od_label_means(setting->name), OD_LABEL_BUCKET) ||
            !od_num_parse_double(setting->value, &elements) || elements < 1)
            continue;
        for (int width = 2; width <= 4; width *= 2)
            if (elements * width >= (double)need.lo && elements * width <= (double)need.hi)
                return setting;
    }
    return NULL;
}

static void say_bucket(struct od_diagnosis_context *context, const struct od_failure *failure,
                       const struct od_setting *setting)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(WORKSPACE, stated_bucket));
    od_finding_say(
        context, finding,
        "%s is the size of a buffer set by %.*s: neither the batch size nor the model changes it.",
        od_bytes_text(context->arena, failure->asked),
        (int)(setting->name.n < 60 ? setting->name.n : 60), setting->name.p);
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "bucket_bytes", failure->need);
    od_finding_evidence(finding, &setting->said);
}

/* A library that learns from tables, and the data that the text tells of is small. */
static bool say_structures(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_shape *data =
        failure->of_arrays ? od_data_set_far_smaller(context->c, failure) : NULL;
    if (!data)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(WORKSPACE, scratch));
    od_finding_say(context, finding,
                   "%s was requested, far more than the data of the text takes (%llu x %llu): the "
                   "library's own structures need it.",
                   od_bytes_text(context->arena, failure->asked), (unsigned long long)data->dims[0],
                   (unsigned long long)data->dims[1]);
    od_finding_failure(finding, failure);
    return true;
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || context->diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED ||
        (!od_failure_is_device(failure) && failure->incident->kind != OD_INC_DEVICE_CONTEXT_FAILED))
        return;
    const struct od_setting *bucket = bucket_of(context->c, failure->need);
    if (bucket) {
        say_bucket(context, failure, bucket);
        return;
    }
    if (say_structures(context, failure))
        return;
    bool convolution = od_means(failure->op_means, OD_OP_CONVOLUTION);
    bool compute = od_incident_says(failure->incident, OD_SAID_COMPUTE_BUFFER);
    bool cublas = od_incident_says(failure->incident, OD_SAID_CUBLAS) &&
                  !od_incident_says(failure->incident, OD_SAID_CUDNN);
    bool scratch = failure->hint.role == OD_TENSOR_SCRATCH || compute;
    bool context_failed = failure->incident->kind == OD_INC_DEVICE_CONTEXT_FAILED;
    bool handle_refused = context_failed && !failure->incident->requested.known;
    uint64_t soft = count_soft(context->c);
    if (!scratch && !context_failed && soft == 0)
        return;
    enum od_clue sign = compute                  ? OD_CLUE(WORKSPACE, compute_buffer)
                        : handle_refused         ? OD_CLUE(WORKSPACE, handle_refused)
                        : context_failed         ? OD_CLUE(WORKSPACE, context_failed)
                        : scratch && convolution ? OD_CLUE(WORKSPACE, scratch_of_convolution)
                        : scratch                ? OD_CLUE(WORKSPACE, scratch)
                                                 : OD_CLUE(WORKSPACE, warned);
    const struct od_software *driver = failure->stack.driver;
    bool prompts = !driver || od_software_knob(driver, "context_length");
    struct od_finding *finding = od_finding_add(context, sign);
    /* The script's algorithms are not tried for what a handle is. */
    finding->vain = cublas ? "smaller_workspace" : NULL;
    od_finding_say(
        context, finding,
        compute && prompts
            ? "%s could not be allocated for the compute buffer, beside the weights: it grows with "
              "the micro-batch of the prompt and, without flash attention, with the context length."
        : compute ? "%s could not be allocated for the compute buffer, beside the weights: it "
                    "grows with the input."
        : scratch ? "%s could not be allocated as raw bytes: workspace of a library, not a tensor "
                    "of the model."
        : handle_refused && soft == 0
            ? "%s were refused: a library could not create its handle, which needs memory beside "
              "the tensors."
            : "%s could not be allocated; libraries requested workspace beside the tensors.",
        failure->need.known ? od_bytes_text(context->arena, failure->asked)
                            : "Requests of unknown size");
    od_finding_failure(finding, failure);
    od_finding_count(finding, "warnings_count", od_count_of(soft));
}

const struct od_diagnoser od_diagnoser_workspace = {"workspace", look};
