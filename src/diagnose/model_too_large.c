#include "diagnose/finding.h"
#include "diagnose/shares.h"
#include "diagnose/single.h"
#include "failure/failure.h"
#include "failure/prepared.h"
#include "failure/remarks.h"

static const double small_request = 0.02; /* of the device: a batch of one that is nearly in */
static const double fixed_share = 0.85; /* of the limit, whatever the batch: hardly room for one */
static const double most_share = 0.7;   /* what it leaves is little for any batch */

/* Weights are loaded, gathered or given their optimizer state; nothing of it grows with the batch.
 */
static bool is_about_weights(const struct od_failure *failure)
{
    bool first = failure->progress == 0;
    return (failure->phase == OD_PHASE_LOAD && first) || failure->phase == OD_PHASE_OPTIMIZER ||
           failure->phase == OD_PHASE_GATHER ||
           od_incident_says(failure->incident, OD_SAID_LOADING) ||
           od_incident_says(failure->incident, OD_SAID_PLACED);
}

/* Weights on their way to a device that this process has filled: its own, or a model that an
 * earlier cell of a notebook left there. */
static bool fills_by_loading(const struct od_failure *failure)
{
    return failure->phase == OD_PHASE_LOAD && failure->progress == 0 && od_single_fills(failure);
}

/* Why the batch is not what matters, and how much it weighs; no words = nothing says so. */
struct basis {
    const char *words;
    enum od_clue sign;
};

/* The first things that a run asks for are its variables; a matrix among them is no activation. */
static bool is_made_first(const struct od_failure *failure)
{
    enum { FIRST_ALLOCATIONS = 256 };
    return failure->allocations.known && failure->allocations.n < FIRST_ALLOCATIONS &&
           failure->hint.role == OD_TENSOR_UNKNOWN && failure->incident->tensor.shape.known &&
           failure->incident->tensor.shape.n == 2 && failure->progress == 0;
}

/* A trainer that generates by a server's engine, built in. */
static bool has_engine(const struct od_failure *failure)
{
    const struct od_software *driver = failure->stack.driver;
    return driver && driver->sort == OD_SORT_TRAINER &&
           od_incident_calls(failure->incident, OD_FRAME_SERVER);
}

static bool is_tool(const struct od_failure *failure)
{
    return failure->stack.driver && failure->stack.driver->sort != OD_SORT_SERVER;
}

/* Of a server nothing but weights is fixed, and they are spread as it says. */
static const char *served_words(const struct od_diagnosis_context *context)
{
    return od_arena_printf(context->arena,
                           "could not be allocated: the weights of %s with the framework take "
                           "about %s on each device.",
                           context->fit->facts.network ? context->fit->facts.network : "the model",
                           od_bytes_text(context->arena, context->fit->list[0].fixed));
}

static struct basis basis_of(const struct od_diagnosis_context *context,
                             const struct od_failure *failure, double before)
{
    if (od_model_share(context) >= fixed_share && context->fit->facts.serves)
        return (struct basis){served_words(context), OD_CLUE(MODEL_TOO_LARGE, weights_fill)};
    if (od_model_share(context) >= fixed_share)
        return (struct basis){"could not be allocated: weights and optimizer states, which do not "
                              "shrink with the batch, take nearly all of the limit.",
                              OD_CLUE(MODEL_TOO_LARGE, weights_fill)};
    if (before >= most_share)
        return (struct basis){"could not be allocated: the memory in use before the first step, "
                              "which does not shrink with the batch, takes most of the device.",
                              before >= fixed_share
                                  ? OD_CLUE(MODEL_TOO_LARGE, prepared_fills)
                                  : OD_CLUE(MODEL_TOO_LARGE, prepared_takes_most)};
    if (od_single_restores(context)) /* its tensors come beside the model: model_reload */
        return (struct basis){0};
    const struct od_shape_hint *hint = &failure->hint;
    bool stated_one = failure->batch.known && failure->batch.n == 1;
    bool shown_one = hint->role == OD_TENSOR_ACTIVATION && hint->batch.known && hint->batch.n == 1;
    double share = od_failure_need_share(failure);
    bool one = (stated_one || shown_one) && share > 0 && share < small_request;
    bool weight = hint->role == OD_TENSOR_WEIGHT && !hint->restored;
    if (failure->phase == OD_PHASE_GATHER && !one) /* only the last straw on what a batch keeps */
        return (struct basis){"could not be allocated while sharded weights were gathered.",
                              failure->batch.known ? OD_CLUE(MODEL_TOO_LARGE, gather_of_batch)
                                                   : OD_CLUE(MODEL_TOO_LARGE, gather)};
    if (fills_by_loading(failure) && !hint->restored)
        return (struct basis){"could not be allocated while weights were moved to the device, "
                              "which this process already fills.",
                              OD_CLUE(MODEL_TOO_LARGE, fills_by_loading)};
    if (weight || is_about_weights(failure))
        return (struct basis){od_failure_is_server(failure) || failure->use.infers
                                  ? "could not be allocated for the weights of the model."
                                  : "could not be allocated for a parameter, its gradient or its "
                                    "optimizer state: these do not shrink with the batch.",
                              one || !weight ? OD_CLUE(MODEL_TOO_LARGE, weight_refused)
                                             : OD_CLUE(MODEL_TOO_LARGE, weight_named)};
    if (od_shares_exceed(context))
        return (struct basis){"could not be allocated: by an estimate weights, gradients and "
                              "optimizer states take more than the limit, whatever the batch.",
                              OD_CLUE(MODEL_TOO_LARGE, weights_fill)};
    if (failure->progress == 0 && od_remark_directly_above(context->c, failure->incident, "loads"))
        return (struct basis){"could not be allocated behind a line that loads the model: its "
                              "weights do not fit.",
                              OD_CLUE(MODEL_TOO_LARGE, shown_loading)};
    if (failure->progress == 0 && !failure->batch.known &&
        !od_incident_says(failure->incident, OD_SAID_COMPUTE_BUFFER) &&
        !od_incident_says(failure->incident, OD_SAID_CACHE) &&
        od_remark_find(context->c, failure->incident, "loading"))
        return (struct basis){"could not be allocated while the model was loaded, as the author of "
                              "the log reports: its weights do not fit.",
                              OD_CLUE(MODEL_TOO_LARGE, told_loading)};
    if (is_made_first(failure))
        return (struct basis){"could not be allocated for one of the first matrices of the "
                              "program: it seems to be a variable of the model.",
                              OD_CLUE(MODEL_TOO_LARGE, made_first)};
    if (one)
        return (struct basis){"could not be allocated at batch size 1: memory that does not shrink "
                              "with the batch fills the device.",
                              od_single_has_fitted(failure)
                                  ? OD_CLUE(MODEL_TOO_LARGE, batch_of_one_late)
                                  : OD_CLUE(MODEL_TOO_LARGE, batch_of_one)};
    struct od_single single = od_single_of(context);
    if (single.infers && single.straw && !single.piles)
        return (struct basis){"could not be allocated while a model was used, not trained: what "
                              "fills the device is mostly its weights.",
                              OD_CLUE(MODEL_TOO_LARGE, fills_in_use)};
    if (single.vain && single.straw)
        return (struct basis){"could not be allocated, and a smaller batch is said not to be the "
                              "way out: weights do not shrink with it.",
                              OD_CLUE(MODEL_TOO_LARGE, told_vain)};
    double held = od_model_share(context);
    bool leaves_room = context->fit->facts.serves && held >= 0 && held < most_share;
    if (has_engine(failure) && failure->progress == 0)
        return (struct basis){"could not be allocated by the engine that generates, which takes "
                              "its share of the device beside what is trained.",
                              OD_CLUE(MODEL_TOO_LARGE, server_starts)};
    if (od_failure_is_server(failure) && failure->progress == 0 && !leaves_room &&
        !od_shares_cache_made(context) &&
        !od_incident_calls(failure->incident, OD_FRAME_KV_CACHE) &&
        !od_remark_find(context->c, failure->incident, "traffic") &&
        !od_incident_calls(failure->incident, OD_FRAME_WAKING))
        return (struct basis){
            od_remark_find(context->c, failure->incident, "serving")
                ? "could not be allocated by a server for a request, as the text says: weights, "
                  "and the cache beside them, take most of the memory of such a server."
            : is_tool(failure)
                ? "could not be allocated by a program that uses a model: weights take most of "
                  "the memory of such a program."
                : "could not be allocated by a server, and the log shows no request that it "
                  "served: weights take most of the memory of such a server.",
            OD_CLUE(MODEL_TOO_LARGE, server_starts)};
    return (struct basis){0};
}

/* What only serves has weights alone, and few of its programs spread them over devices. */
static bool serves_alone(const struct od_failure *failure)
{
    const struct od_software *driver = failure->stack.driver;
    return od_failure_is_server(failure) &&
           !(driver && od_software_knob(driver, "tensor_parallel"));
}

static void choose(struct od_finding *finding, const struct od_failure *failure)
{
    if (failure->phase == OD_PHASE_OPTIMIZER) {
        finding->first = "smaller_optimizer";
    } else if (od_incident_calls(failure->incident, OD_FRAME_SAVING)) {
        finding->first = "save_in_shards";
    } else if (has_engine(failure)) {
        finding->first = "share_with_engine";
    } else if (od_incident_says(failure->incident, OD_SAID_PLACED)) {
        finding->first = "offload";
        finding->vain = "sharding";
    } else if (serves_alone(failure)) {
        finding->first = "quantize";
        finding->vain = "sharding";
    }
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || !(od_failure_is_device(failure) || od_shares_leave_no_cache(context)) ||
        context->diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED)
        return;
    struct od_prepared prepared = {0};
    double before = od_prepared_share(context->c, failure, &prepared);
    struct basis basis = basis_of(context, failure, before);
    if (!basis.words)
        return;
    if (failure->verdict == OD_VERDICT_DEVICE_REFUSED)
        basis.sign = OD_CLUE(MODEL_TOO_LARGE, device_refused);
    const char *size = od_shares_leave_no_cache(context) ? "A KV cache"
                       : failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                             : "Requests of unknown size";
    struct od_finding *finding = od_finding_add(context, basis.sign);
    finding->summary = od_arena_printf(context->arena, "%s %s", size, basis.words);
    bool told = basis.sign == OD_CLUE(MODEL_TOO_LARGE, told_loading);
    finding->grows_in = told || failure->phase == OD_PHASE_LOAD || od_failure_is_server(failure) ||
                                od_incident_says(failure->incident, OD_SAID_PLACED)
                            ? OD_SERIES_PHASE_LOAD
                            : OD_SERIES_PHASE_NONE;
    choose(finding, failure);
    if (od_shares_leave_no_cache(context)) {
        finding->first = "quantize";
        finding->vain = "raise_named"; /* which the message proposes */
    }
    if (!failure->dump && od_model_share(context) >= 1) /* weights alone */
        finding->first = "smaller_model";
    od_finding_failure(finding, failure);
    if (before >= most_share)
        od_finding_evidence(finding, &prepared.said);
}

const struct od_diagnoser od_diagnoser_model_too_large = {"model_too_large", look};
