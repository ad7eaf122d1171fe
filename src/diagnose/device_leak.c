#include "diagnose/finding.h"
#include "diagnose/growth.h"
#include "failure/failure.h"
#include "failure/remarks.h"

/* Without a list of chunks, only that it worked for long tells: a leak fails late, and on
 * whatever small thing comes next. */
enum { LONG_ALLOCATIONS = 200000 };
static const double large_request = 0.05; /* of the limit: too large to be the last straw */

static void say_chunks(struct od_diagnosis_context *context, const struct od_failure *failure,
                       const struct od_accumulation *piled)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(DEVICE_LEAK, equal_chunks));
    od_finding_say(context, finding,
                   "The run failed after many successful steps, and %llu equal chunks of %s hold "
                   "%s of the %s in use: something from each step seems to be kept.",
                   (unsigned long long)piled->size.count,
                   od_bytes_text_u64(context->arena, piled->size.bytes),
                   od_bytes_text_u64(context->arena, piled->size.total),
                   od_bytes_text_u64(context->arena, failure->dump->in_use_bytes));
    od_finding_failure(finding, failure);
    od_finding_count(finding, "equal_chunks_count", od_count_of(piled->size.count));
    od_finding_count(finding, "equal_chunk_bytes", od_count_of(piled->size.bytes));
    od_finding_count(finding, "allocations_count", failure->allocations);
}

static void say_late(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    bool big = od_failure_need_share(failure) >= large_request;
    /* Where the message tells what is held, it is tensors: long sequences come late, too. */
    struct od_finding *finding =
        od_finding_add(context, big                          ? OD_CLUE(DEVICE_LEAK, late_and_large)
                                : failure->account.own.known ? OD_CLUE(DEVICE_LEAK, late_of_tensors)
                                                             : OD_CLUE(DEVICE_LEAK, late));
    od_finding_say(context, finding,
                   "The run failed late, after work that had fit: device memory seems to have "
                   "grown. The log does not show what grew.");
    od_finding_failure(finding, failure);
    od_finding_count(finding, "allocations_count", failure->allocations);
    if (failure->progress > 0)
        od_finding_count(finding, "progress_lines_count", od_count_of(failure->progress));
}

/* The log does not tell, but somebody does. */
static bool say_told(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_evidence *grows = od_remark_find(context->c, failure->incident, "growth");
    const struct od_evidence *late = od_remark_find(context->c, failure->incident, "late");
    if ((!grows && !late) || od_growth_refuted(context->c, failure->incident, false))
        return false;
    struct od_finding *finding = od_finding_add(context, grows ? OD_CLUE(DEVICE_LEAK, told_growth)
                                                               : OD_CLUE(DEVICE_LEAK, told_late));
    finding->summary = grows ? "The log does not show it, but its author reports that memory grew."
                             : "The log does not show it, but its author reports that the run "
                               "failed late, after work that had fit.";
    od_finding_failure(finding, failure);
    od_finding_evidence(finding, grows ? grows : late);
    return true;
}

static void say_growth(struct od_diagnosis_context *context, const struct od_failure *failure,
                       const struct od_growth *growth)
{
    struct od_finding *finding = od_finding_of_growth(context, OD_CAUSE_DEVICE_LEAK, growth);
    od_finding_say(context, finding,
                   "Device memory grew %s, without slowing before the failure: something from each "
                   "step is kept.",
                   od_growth_words(context, growth));
    od_finding_failure(finding, failure);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || failure->verdict == OD_VERDICT_DEVICE_REFUSED ||
        failure->incident->kind != OD_INC_DEVICE_ALLOC_FAILED || failure->hint.restored ||
        od_incident_calls(failure->incident, OD_FRAME_WAKING) ||
        context->diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED)
        return;
    struct od_growth growth;
    if (od_growth_of(context->c, failure->incident, false, &growth) && !growth.loading) {
        say_growth(context, failure, &growth);
        return;
    }
    if (od_growth_of_few(context->c, failure->incident, false, &growth)) {
        say_growth(context, failure, &growth);
        return;
    }
    if (od_failure_need_share(failure) < large_request &&
        od_growth_small(context->c, failure->incident, false, &growth)) {
        struct od_finding *finding = od_finding_add(context, OD_CLUE(DEVICE_LEAK, growth_small));
        od_finding_growth(finding, &growth);
        od_finding_say(context, finding,
                       "Device memory grew %s, steadily until the failure: something seems to be "
                       "kept, beside what was in memory before.",
                       od_growth_words(context, &growth));
        od_finding_failure(finding, failure);
        return;
    }
    struct od_accumulation piled = od_failure_accumulation(failure);
    bool late = piled.ran_long ||
                (failure->allocations.known && failure->allocations.n >= LONG_ALLOCATIONS);
    if (!late) {
        (void)say_told(context, failure);
        return;
    }
    if (piled.many)
        say_chunks(context, failure, &piled);
    else if ((!failure->dump || !failure->dump->chunks_complete) &&
             !od_growth_refuted(context->c, failure->incident, false))
        say_late(context, failure);
}

const struct od_diagnoser od_diagnoser_device_leak = {"device_leak", look};
