#include "diagnose/finding.h"
#include "diagnose/shares.h"
#include "diagnose/single.h"
#include "failure/failure.h"
#include "failure/growth.h"
#include "failure/prepared.h"
#include "failure/remarks.h"

enum { SMALL_BATCH = 2 };

static const double mostly_fixed = 0.85, mostly_batch = 0.3; /* of the limit */

/* By the message's numbers: what this run held and wanted was little of what the device has. */
static bool fitted(const struct od_failure *failure)
{
    static const double small_share = 0.5;
    struct od_bytes wanted = od_bytes_add(failure->account.own, failure->incident->requested);
    return wanted.known && failure->incident->capacity.known &&
           (double)wanted.hi <= small_share * (double)failure->incident->capacity.lo;
}

/* What is stated of the batch, of one device or of all; what the tensor shows counts by itself. */
static struct od_count batch_of(const struct od_diagnosis_context *context,
                                const struct od_failure *failure)
{
    const struct od_fit_facts *facts = &context->fit->facts;
    bool known = facts->batch.known && facts->batch_certainty >= OD_LIKELY &&
                 failure->hint.role != OD_TENSOR_ACTIVATION;
    return failure->batch.known || !known ? failure->batch : facts->batch;
}

/* What speaks for the batch and against it, beside what all causes ask. */
static void put_signs(const struct od_diagnosis_context *context, const struct od_failure *failure,
                      struct od_finding *finding)
{
    const struct od_shape_hint *hint = &failure->hint;
    double fixed = od_fixed_share(context);
    bool grows = hint->role == OD_TENSOR_ACTIVATION && hint->batch.known;
    struct od_count batch = batch_of(context, failure);
    struct od_single single = od_single_of(context);
    const struct {
        bool holds;
        enum od_clue sign;
    } signs[] = {
        {grows, OD_CLUE(BATCH_TOO_LARGE, tensor_grows)},
        {grows && failure->in_use.known, OD_CLUE(BATCH_TOO_LARGE, tensor_grows_in_full_pool)},
        {fixed >= 0 && fixed < mostly_batch && batch.known,
         OD_CLUE(BATCH_TOO_LARGE, little_is_fixed)},
        {batch.known, OD_CLUE(BATCH_TOO_LARGE, stated)},
        {(hint->batch.known && hint->batch.n <= SMALL_BATCH) ||
             (batch.known && batch.n <= SMALL_BATCH),
         OD_CLUE(BATCH_TOO_LARGE, small)},
        {fitted(failure), OD_CLUE(BATCH_TOO_LARGE, little_wanted)},
        {od_failure_small_program(context->c, failure).known,
         OD_CLUE(BATCH_TOO_LARGE, small_program)},
        {failure->phase == OD_PHASE_LOAD, OD_CLUE(BATCH_TOO_LARGE, while_loading)},
        {od_model_share(context) >= mostly_fixed, OD_CLUE(BATCH_TOO_LARGE, weights_fill)},
        {failure->phase == OD_PHASE_OPTIMIZER, OD_CLUE(BATCH_TOO_LARGE, in_optimizer)},
        {od_failure_is_server(failure) || failure->of_arrays, OD_CLUE(BATCH_TOO_LARGE, no_batches)},
        {od_beyond_devices(failure->need) && !hint->batch.known,
         OD_CLUE(BATCH_TOO_LARGE, beyond_devices)},
        {hint->role == OD_TENSOR_WEIGHT || hint->constant, OD_CLUE(BATCH_TOO_LARGE, no_activation)},
        {failure->verdict == OD_VERDICT_DEVICE_REFUSED, OD_CLUE(BATCH_TOO_LARGE, device_refused)},
        {single.trains, OD_CLUE(BATCH_TOO_LARGE, trains)},
        {single.infers, OD_CLUE(BATCH_TOO_LARGE, infers)},
        {single.batchless, OD_CLUE(BATCH_TOO_LARGE, batchless)},
        {single.vain, OD_CLUE(BATCH_TOO_LARGE, told_vain)},
        {single.input, OD_CLUE(BATCH_TOO_LARGE, told_input)},
    };
    for (size_t i = 0; i < OD_COUNT_OF(signs); i++)
        if (signs[i].holds)
            od_finding_clue(finding, signs[i].sign);
}

/* The first step did not end, and most of what it met on the device came with it. */
static bool came_with_step(const struct od_diagnosis_context *context,
                           const struct od_failure *failure, struct od_prepared *ret_prepared)
{
    double before = od_prepared_share(context->c, failure, ret_prepared);
    bool batch_of_one = failure->batch.known && failure->batch.n == 1;
    return before >= 0 && before < mostly_batch && failure->progress == 0 && !batch_of_one &&
           !fitted(failure) && failure->hint.role == OD_TENSOR_UNKNOWN &&
           failure->verdict != OD_VERDICT_DEVICE_REFUSED && !od_failure_is_server(failure) &&
           failure->phase != OD_PHASE_LOAD && failure->phase != OD_PHASE_OPTIMIZER;
}

/* A matrix may have a row for each token of each sample; only the log's batch tells. */
static const char *first_axis(const struct od_failure *failure)
{
    bool told = failure->batch.known && failure->batch.n == failure->hint.batch.n;
    return !told && failure->incident->tensor.shape.n == 2 ? "rows" : "samples";
}

/* Where the log does not say the type of the tensor, its size is that in the usual one. */
static const char *type_assumed(const struct od_failure *failure)
{
    return failure->incident->tensor.dtype == OD_DTYPE_UNKNOWN ? " in float32" : "";
}

/* Does the memory of its steps say that the batch tried does not fit? */
static bool needs_too_much(const struct od_fit *fit)
{
    return fit && fit->known && fit->batch_fits >= 0 && fit->batch_fits < 0.5;
}

/* The numbers that a language model's loss is computed from. */
static bool of_logits(const struct od_failure *failure)
{
    return failure->use.trains && od_incident_ends_in(failure->incident, OD_FRAME_LOGITS);
}

/* prepared: NULL where it says nothing. */
static void say_why(struct od_diagnosis_context *context, struct od_finding *finding,
                    const struct od_failure *failure, const struct od_prepared *prepared)
{
    if (failure->hint.role == OD_TENSOR_ACTIVATION && failure->hint.per_sample.known)
        finding->says = OD_SAYS_PRINTED;
    const struct od_shape_hint *hint = &failure->hint;
    struct od_count batch = hint->batch.known ? hint->batch : failure->batch;
    const char *asked = failure->need.known
                            ? od_arena_printf(context->arena, "%s was",
                                              od_bytes_text(context->arena, failure->asked))
                            : "More memory was";
    if (hint->role == OD_TENSOR_ACTIVATION && hint->per_sample.known && batch.n == 1)
        od_finding_say(context, finding,
                       "The tensor that failed takes %s%s for a single sample: the batch size is "
                       "already 1, unless its first axis is not the batch.",
                       od_bytes_text(context->arena, hint->per_sample), type_assumed(failure));
    else if (hint->role == OD_TENSOR_ACTIVATION && hint->per_sample.known)
        od_finding_say(context, finding,
                       "The tensor that failed grows with the batch size: %llu %s of %s each%s. A "
                       "smaller batch reduces it and all other activations.",
                       (unsigned long long)batch.n, first_axis(failure),
                       od_bytes_text(context->arena, hint->per_sample), type_assumed(failure));
    else if (failure->need.known && od_bytes_less(failure->capacity, failure->need) == OD_YES)
        od_finding_say(
            context, finding,
            "%s requested in one piece, more than the whole device has (%s): freeing memory cannot "
            "help. Reduce the request (a smaller batch, shorter or smaller samples).",
            asked, od_bytes_text(context->arena, failure->capacity));
    else if (prepared)
        od_finding_say(context, finding,
                       "%s requested and could not be allocated. Before the first step %s was in "
                       "use: most of the memory in use came with the batch.",
                       asked, od_bytes_text(context->arena, prepared->in_use));
    else if (needs_too_much(context->fit) && batch.known && batch.n > 1)
        od_finding_say(context, finding,
                       "%s requested and could not be allocated: by an estimate from this log, a "
                       "step with %llu samples needs more memory than there is.",
                       asked, (unsigned long long)batch.n);
    else
        od_finding_say(context, finding,
                       of_logits(failure)
                           ? "%s requested and could not be allocated for logits, a number for "
                             "each word of the vocabulary at each place of each sequence."
                       : od_failure_is_server(failure)
                           ? "%s requested and could not be allocated."
                           : "%s requested and could not be allocated. The batch size is the usual "
                             "cause; the request alone does not show it.",
                       asked);
}

/* Memory was level, rose once and stayed: what began there takes the difference in every step. */
static void say_rise(struct od_diagnosis_context *context, struct od_finding *finding,
                     const struct od_failure *failure, const struct od_rise *rise)
{
    const struct od_evidence *change = rise->change;
    unsigned long long line = change ? change->at.line : rise->line;
    od_finding_say(
        context, finding,
        "Device memory in use rose once, from %s to %s at line %llu, and then stayed "
        "there%s. What began there takes the difference in every step, and %s no longer "
        "fits.",
        od_bytes_text_u64(context->arena, (uint64_t)rise->before),
        od_bytes_text_u64(context->arena, (uint64_t)rise->after), (unsigned long long)rise->line,
        change ? od_arena_printf(context->arena, ", behind what line %llu says", line) : "",
        failure->need.known ? od_bytes_text(context->arena, failure->asked) : "the next request");
    finding->clause =
        change ? od_arena_printf(context->arena, "what began at line %llu needs too much", line)
               : NULL;
    finding->first = change ? "smaller_change" : NULL;
    if (change)
        od_finding_evidence(finding, change);
    od_finding_bytes(finding, "grown_bytes",
                     od_bytes_exact((uint64_t)(rise->after - rise->before)));
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || (failure->incident->kind != OD_INC_DEVICE_ALLOC_FAILED &&
                     failure->incident->kind != OD_INC_DEVICE_COMPILE_OOM &&
                     failure->incident->kind != OD_INC_DEVICE_CONTEXT_FAILED))
        return;
    if (context->diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED || !failure->of_network)
        return;
    struct od_single single = od_single_of(context);
    if (single.of_one ||
        single.same_anyway) /* no smaller batch, or none that changes the request */
        return;
    struct od_prepared prepared = {0};
    bool came = came_with_step(context, failure, &prepared);
    struct od_rise rise = {0};
    bool rose = od_growth_rise(context->c, failure->incident, false, &rise);
    const struct od_evidence *told = od_remark_find(context->c, failure->incident, "batch");
    const struct od_shape_hint *hint = &failure->hint;
    struct od_count batch = hint->batch.known ? hint->batch : batch_of(context, failure);
    struct od_finding *finding = od_finding_add(context, OD_CLUE(BATCH_TOO_LARGE, asked));
    put_signs(context, failure, finding);
    if (came)
        od_finding_clue(finding, OD_CLUE(BATCH_TOO_LARGE, came_with_step));
    if (told)
        od_finding_clue(finding, OD_CLUE(BATCH_TOO_LARGE, told));
    if (rose)
        od_finding_clue(finding, OD_CLUE(BATCH_TOO_LARGE, rose_once));
    say_why(context, finding, failure, came ? &prepared : NULL);
    od_finding_failure(finding, failure);
    if (of_logits(failure) && context->fit->batch_fits < 0) /* no batch is known to fit */
        finding->first = "fused_loss";
    if (told)
        od_finding_evidence(finding, told);
    if (came)
        od_finding_evidence(finding, &prepared.said);
    if (rose)
        say_rise(context, finding, failure, &rise);
    if (hint->role != OD_TENSOR_ACTIVATION || *first_axis(failure) == 's') {
        od_finding_count(finding, "batch_count", batch);
        od_finding_bytes(finding, "sample_bytes", hint->per_sample);
    }
}

const struct od_diagnoser od_diagnoser_batch_too_large = {"batch_too_large", look};
