#include "diagnose/finding.h"
#include "diagnose/host.h"
#include "diagnose/single.h"
#include "failure/remarks.h"

/* A load that added to what was there: the series shows the second copy. */
static const struct od_series *second_copy(const struct od_diagnosis_context *context,
                                           const struct od_incident *incident, bool host)
{
    static const double copy_share = 0.5; /* of what was there before */
    const struct od_series *best = NULL;
    OD_FOR_EACH (const struct od_series, s, context->c->series) {
        if (od_series_metric_is_host(s->metric) != host || od_series_metric_is_free(s->metric) ||
            s->loaded < copy_share * s->before_load || !(s->loaded > 0) ||
            (s->at.source == incident->at.source && s->at.line > incident->at.line))
            continue;
        if (!best || s->loaded > best->loaded)
            best = s;
    }
    return best;
}

static bool say_copy(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    bool host = !od_failure_is_device(failure);
    const struct od_series *s = second_copy(context, failure->incident, host);
    if (!s)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(MODEL_RELOAD, second_copy));
    od_finding_say(context, finding,
                   "A load added %s to the %s of %s memory already in use: a second copy is in "
                   "memory beside the first.",
                   od_bytes_text_u64(context->arena, (uint64_t)s->loaded),
                   od_bytes_text_u64(context->arena, (uint64_t)s->before_load),
                   host ? "host" : "device");
    struct od_evidence first = {.at = s->at, .text = s->said},
                       last = {.at = s->last_at, .text = s->last_said};
    od_finding_evidence(finding, &first);
    od_finding_evidence(finding, &last);
    od_finding_count(finding, "loaded_bytes", od_count_of((uint64_t)s->loaded));
    od_finding_count(finding, "first_bytes", od_count_of((uint64_t)s->first));
    od_finding_count(finding, "last_bytes", od_count_of((uint64_t)s->last));
    od_finding_failure(finding, failure);
    return true;
}

/* The program that is shown loads a model twice, and failed at the second load or behind it. */
static bool say_shown(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_evidence *said = od_remark_find(context->c, failure->incident, "loads");
    if (!said || od_remark_count(context->c, failure->incident, "loads") < 2 ||
        !od_failure_is_device(failure) || failure->progress > 0)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(MODEL_RELOAD, shown_twice));
    finding->summary = "The program loads a model twice, as the text shows: the first one is still "
                       "in memory beside the second.";
    od_finding_evidence(finding, said);
    od_finding_failure(finding, failure);
    return true;
}

/* The same process had done its work before, as the author tells: what that made is still there. */
static bool say_rerun(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_evidence *told = od_remark_find(context->c, failure->incident, "rerun");
    if (!told || !od_failure_is_device(failure) || od_failure_exceeds_limit(failure))
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(MODEL_RELOAD, told_rerun));
    finding->summary = "The same process had worked before, as the text says: models, tensors and "
                       "results of that are still in memory.";
    finding->first = "clear_session";
    od_finding_evidence(finding, told);
    od_finding_failure(finding, failure);
    return true;
}

/* The run that made the checkpoint had fitted, as the author tells. */
static bool say_resumed(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_evidence *told = od_remark_find(context->c, failure->incident, "resumes");
    if (!told || !od_failure_is_device(failure) || od_failure_exceeds_limit(failure))
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(MODEL_RELOAD, told_resume));
    finding->summary = "It fails where a checkpoint is resumed, as the text says: the tensors of "
                       "the file take memory beside the model.";
    finding->first = "restore_on_host";
    od_finding_evidence(finding, told);
    od_finding_failure(finding, failure);
    return true;
}

static bool say_saved_place(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    if (failure->progress > 0 || !od_single_restores(context))
        return false;
    struct od_finding *finding =
        od_finding_add(context, failure->need.known ? OD_CLUE(MODEL_RELOAD, saved_place)
                                                    : OD_CLUE(MODEL_RELOAD, saved_place_bare));
    od_finding_say(context, finding,
                   "%s could not be allocated while a checkpoint was read to the device that it "
                   "was saved from: its tensors lie there beside the model, or beside what else "
                   "holds the device.",
                   failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                       : "Requests of unknown size");
    finding->first = "restore_on_host";
    od_finding_failure(finding, failure);
    return true;
}

/* On the host no step need have been seen: the weights that are made first, and those that are read
 * to replace them. */
static void look_at_host(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    struct od_host_failure host;
    const struct od_doing *doing = failure->doing;
    if (!od_host_failure_of(context, &host) || !doing || doing->what != OD_DOING_RESTORE)
        return;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(MODEL_RELOAD, loading_on_host));
    finding->summary = "Host memory ran out while a checkpoint was loaded: its copy of the weights "
                       "lies beside those that were there.";
    od_finding_failure(finding, failure);
    od_finding_doing(context, finding);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || say_copy(context, failure) || say_shown(context, failure) ||
        say_rerun(context, failure) || say_resumed(context, failure) ||
        say_saved_place(context, failure))
        return;
    if (!od_failure_is_device(failure)) {
        look_at_host(context, failure);
        return;
    }
    bool loading = failure->phase == OD_PHASE_LOAD && failure->progress > 0;
    if ((!failure->hint.restored && !loading) || failure->verdict == OD_VERDICT_DEVICE_REFUSED)
        return;
    bool late = failure->progress > 0;
    struct od_finding *finding =
        od_finding_add(context, !late     ? OD_CLUE(MODEL_RELOAD, restored)
                                : loading ? OD_CLUE(MODEL_RELOAD, loading_late)
                                          : OD_CLUE(MODEL_RELOAD, restored_late));
    const char *size = failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                           : "Requests of unknown size";
    bool moved =
        late && !failure->hint.restored && od_incident_calls(failure->incident, OD_FRAME_MOVING);
    finding->summary = od_arena_printf(
        context->arena, "%s could not be allocated while %s", size,
        moved  ? "a model was moved to the device, after successful steps: an earlier one seems to "
                 "be there still."
        : late ? "a checkpoint was loaded, after successful steps: a second copy of the model is "
                 "loaded beside the first."
               : "a checkpoint was loaded: a second copy of the weights may be loaded beside the "
                 "first.");
    if (moved)
        finding->first = "clear_session";
    od_finding_failure(finding, failure);
}

const struct od_diagnoser od_diagnoser_model_reload = {"model_reload", look};
