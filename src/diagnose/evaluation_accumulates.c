#include "diagnose/finding.h"
#include "diagnose/growth.h"
#include "diagnose/host.h"
#include "failure/remarks.h"

/* Memory that grows at each validation and nowhere else keeps what validation made. */
static bool say_growth(struct od_diagnosis_context *context, const struct od_failure *failure,
                       bool host)
{
    struct od_growth growth;
    if (!od_growth_of(context->c, failure->incident, host, &growth) ||
        !od_growth_is_of_validation(&growth))
        return false;
    struct od_finding *finding = od_finding_add(
        context, growth.reached ? OD_CLUE(EVALUATION_ACCUMULATES, growth)
                                : OD_CLUE(EVALUATION_ACCUMULATES, growth_far_from_limit));
    od_finding_say(context, finding, "Memory of the %s grew %s %s: validation outputs are kept.",
                   host ? "host" : "device", od_growth_words(context, &growth),
                   growth.series->phase == OD_SERIES_PHASE_VALIDATION ? "and stays level in between"
                                                                      : "during validation");
    finding->first = "drop_results";
    od_finding_growth(finding, &growth);
    od_finding_failure(finding, failure);
    return true;
}

/* The last that the run said was that it validates. */
static void say_doing(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    struct od_finding *finding = od_finding_add(
        context, failure->progress > 0 ? OD_CLUE(EVALUATION_ACCUMULATES, validating_after_training)
                                       : OD_CLUE(EVALUATION_ACCUMULATES, validating));
    od_finding_say(context, finding,
                   "%s during validation%s: it keeps its outputs, or runs with a larger batch.",
                   failure->incident->kind == OD_INC_UNEXPLAINED_KILL
                       ? "If memory was the reason of the kill, it ran out"
                       : "Host memory ran out",
                   failure->progress > 0 ? ", after training steps that had fit" : "");
    finding->first = "drop_results";
    od_finding_failure(finding, failure);
    od_finding_doing(context, finding);
}

/* The machine's memory was refused to what an evaluation puts together. */
static void look_at_host(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    if (say_growth(context, failure, true))
        return;
    const struct od_software *driver = failure->stack.driver;
    if (driver && driver->sort == OD_SORT_DATABASE) /* it evaluates rules, and no model */
        return;
    bool refused = failure->incident->kind == OD_INC_HOST_ALLOC_FAILED;
    if (!refused || failure->phase != OD_PHASE_EVALUATION) {
        if (failure->doing && failure->doing->what == OD_DOING_VALIDATION)
            say_doing(context, failure);
        return;
    }
    bool keeps = od_evaluation_of(failure->incident).keeps;
    struct od_finding *finding =
        od_finding_add(context, keeps ? OD_CLUE(EVALUATION_ACCUMULATES, keeps_on_host)
                                      : OD_CLUE(EVALUATION_ACCUMULATES, evaluates_on_host));
    finding->summary = keeps ? "RAM could not be allocated while the outputs of an evaluation were "
                               "concatenated: they are kept for the whole dataset."
                             : "RAM could not be allocated during evaluation.";
    od_finding_failure(finding, failure);
}

/* What weighs for it where no whole set was asked for at once. */
static enum od_clue sign_of(const struct od_failure *failure, bool trained)
{
    struct od_evaluation how = od_evaluation_of(failure->incident);
    if (how.keeps)
        return OD_CLUE(EVALUATION_ACCUMULATES, keeps);
    if (trained)
        return OD_CLUE(EVALUATION_ACCUMULATES, after_training);
    if (failure->phase != OD_PHASE_EVALUATION)
        return OD_CLUE(EVALUATION_ACCUMULATES, named);
    /* A test or a prediction may be all that the program does. */
    return how.trained     ? OD_CLUE(EVALUATION_ACCUMULATES, inside_training)
           : how.validates ? OD_CLUE(EVALUATION_ACCUMULATES, validates)
                           : OD_CLUE(EVALUATION_ACCUMULATES, predicts);
}

/* transformers' own evaluation keeps no graph: what helps is an argument of its trainer. */
static void say_kept(const struct od_failure *failure, struct od_finding *finding)
{
    finding->summary = "The run failed while the outputs of an evaluation were concatenated: they "
                       "are kept on the device for the whole dataset.";
    bool trainer = failure->telling && od_means(failure->telling->means, OD_FRAME_TRANSFORMERS);
    finding->first = trainer ? "outputs_to_host" : "drop_results";
}

static void look(struct od_diagnosis_context *context)
{
    enum { TRAINED_ALLOCATIONS = 100000 };
    const struct od_failure *failure = context->failure;
    struct od_host_failure on_host;
    if (od_host_failure_of(context, &on_host)) {
        look_at_host(context, on_host.failure);
        return;
    }
    if (!failure || failure->hint.constant || !od_failure_is_device(failure) ||
        say_growth(context, failure, false))
        return;
    bool trained = failure->progress > 0 ||
                   (failure->allocations.known && failure->allocations.n >= TRAINED_ALLOCATIONS);
    bool whole_set = failure->hint.dataset_like && !od_failure_exceeds_limit(failure);
    bool named = failure->names_evaluation;
    const struct od_evidence *told = od_remark_find(context->c, failure->incident, "validation");
    if (!named && !told && !(whole_set && trained))
        return;
    enum od_clue sign = named && whole_set ? OD_CLUE(EVALUATION_ACCUMULATES, named_and_whole_set)
                        : whole_set        ? OD_CLUE(EVALUATION_ACCUMULATES, whole_set)
                        : named            ? sign_of(failure, trained)
                                           : OD_CLUE(EVALUATION_ACCUMULATES, told);
    struct od_finding *finding = od_finding_add(context, sign);
    if (whole_set)
        od_finding_say(context, finding,
                       "After successful training steps, one array of %llu samples was requested: "
                       "the evaluation seems to process its whole dataset at once.",
                       (unsigned long long)failure->incident->tensor.shape.dims[0]);
    else if (od_evaluation_of(failure->incident).keeps)
        say_kept(failure, finding);
    else
        od_finding_say(context, finding,
                       "The run failed during evaluation%s: evaluation needs more memory than "
                       "training here, because of a larger batch or of outputs that are kept.",
                       trained ? ", after successful training steps" : "");
    if (!finding->first && od_view_eq_str(failure->incident->producer, "tensorflow"))
        finding->first = "drop_results"; /* without a tape it records no gradients */
    od_finding_failure(finding, failure);
    if (told)
        od_finding_evidence(finding, told);
    od_finding_count(finding, "allocations_count", failure->allocations);
    od_finding_bytes(finding, "sample_bytes", failure->hint.per_sample);
}

const struct od_diagnoser od_diagnoser_evaluation_accumulates = {"evaluation_accumulates", look};
