#include "diagnose/finding.h"
#include "diagnose/shares.h"
#include "failure/failure.h"
#include "failure/remarks.h"

static struct od_bytes left_of(const struct od_incident *inc)
{
    return inc->free.known ? inc->free : inc->limit;
}

/* Proof: the printed need of the cache is more than what is printed to be left for it. */
static bool proves(const struct od_incident *inc)
{
    return inc->kind == OD_INC_KV_CACHE_TOO_SMALL &&
           od_bytes_less(left_of(inc), inc->requested) == OD_YES;
}

/* So little is missing that a somewhat larger share of the device has it. */
static bool is_nearly_enough(const struct od_incident *inc)
{
    static const uint64_t part = 20; /* of the request */
    struct od_bytes left = left_of(inc);
    return left.known && inc->requested.known && inc->requested.lo / part * (part - 1) < left.lo;
}

/* What a server said of its memory under that name, or unknown. */
static struct od_bytes size_said(const struct od_case *c, const char *name, bool missing)
{
    for (size_t i = c->states.n; i-- > 0;)
        if (od_view_eq_str(c->states.items[i].name, name))
            return missing ? c->states.items[i].requested : c->states.items[i].in_use;
    return (struct od_bytes){0};
}

/* The server's own sum: the weights leave less than nothing of its share, whatever the context. */
static bool say_missing(struct od_diagnosis_context *context, struct od_finding *finding)
{
    struct od_bytes missing = size_said(context->c, "KV cache missing", true);
    struct od_bytes weights = size_said(context->c, "model", false);
    struct od_view share = od_case_setting(context->c, OD_SETTING_GPU_MEMORY_UTILIZATION);
    if (!missing.known)
        return false;
    finding->vain = "shorter_context";
    od_finding_bytes(finding, "missing_bytes", missing);
    od_finding_say(context, finding,
                   "The weights%s%s%s and what the warm-up needs are %s more than the share of the "
                   "device that the server may use%s%.*s%s: nothing is left for a cache of any "
                   "length.",
                   weights.known ? " (" : "",
                   weights.known ? od_bytes_text(context->arena, weights) : "",
                   weights.known ? ")" : "", od_bytes_text(context->arena, missing),
                   share.n > 0 ? " (" : "", (int)share.n, share.p, share.n > 0 ? ")" : "");
    return true;
}

/* What the finding follows from, best known first. */
static const char *why(const struct od_incident *inc, bool stated, bool names, bool made)
{
    if (od_incident_says(inc, OD_SAID_WARM_UP))
        return "The warm-up processes as many tokens at once as the settings allow. Their memory "
               "does not fit beside the weights.";
    if (made && !stated)
        return "The weights are in and the cache is made: together they leave too little of the "
               "device for what the server does next (its graphs, its warm-up, its buffers).";
    if (!stated && !names)
        return "Many requests were served at the same time, as the text says: each takes its own "
               "part of the cache and of the activations.";
    return "The requested KV cache does not fit beside the weights.";
}

static void say_told(struct od_diagnosis_context *context, struct od_finding *finding)
{
    struct od_view machine = od_case_setting(context->c, OD_SETTING_MACHINE_MEMORY);
    od_finding_say(
        context, finding,
        "The text reports that the KV cache filled what the weights leave of the %s%.*s.",
        machine.n > 0 ? "machine's " : "memory", (int)machine.n, machine.p);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || od_shares_leave_no_cache(context))
        return;
    const struct od_incident *inc = failure->incident;
    bool stated = inc->kind == OD_INC_KV_CACHE_TOO_SMALL;
    bool refused = od_failure_is_device(failure) || inc->kind == OD_INC_HOST_ALLOC_FAILED;
    const struct od_evidence *traffic = od_failure_is_server(failure) && refused
                                            ? od_remark_find(context->c, inc, "traffic")
                                            : NULL;
    const struct od_evidence *made = refused ? od_shares_cache_made(context) : NULL;
    const struct od_software *driver = failure->stack.driver;
    bool makes = od_incident_calls(inc, OD_FRAME_KV_CACHE) &&
                 !(driver && driver->sort == OD_SORT_TRAINER); /* which shares with its engine */
    bool asked = od_means(od_meanings_of(OD_SUBJECT_SAID, inc->tensor.op, (struct od_view){0}),
                          OD_SAID_CACHE);
    const struct od_evidence *told = refused ? od_remark_find(context->c, inc, "kv_cache") : NULL;
    bool names = refused && (od_incident_says(inc, OD_SAID_CACHE) || asked || makes || told);
    if (!stated && !traffic && !made && !names)
        return;
    bool proven = proves(inc);
    struct od_finding *finding = od_finding_add(context, stated  ? OD_CLUE(KV_CACHE, stated)
                                                         : made  ? OD_CLUE(KV_CACHE, made)
                                                         : names ? OD_CLUE(KV_CACHE, names_cache)
                                                                 : OD_CLUE(KV_CACHE, told_traffic));
    finding->proven = proven;
    if (proven)
        od_finding_bytes(finding, "missing_bytes", od_bytes_sub(inc->requested, left_of(inc)));
    if (proven)
        od_finding_say(context, finding,
                       "The KV cache needs %s for the stated context length, and %s is left beside "
                       "the weights.",
                       od_bytes_text(context->arena, inc->requested),
                       od_bytes_text(context->arena, left_of(inc)));
    else if (told && !stated && !made)
        say_told(context, finding);
    else if (!stated || !say_missing(context, finding))
        finding->summary = why(inc, stated, names, made);
    od_finding_failure(finding, failure);
    if (traffic || made || told)
        od_finding_evidence(finding, made ? made : traffic ? traffic : told);
    /* One request of the stated length is too long by itself, however near the two are. */
    if (stated && ((left_of(inc).known && inc->requested.known) || inc->tokens.known))
        finding->vain = "fewer_sequences";
    if (stated && is_nearly_enough(inc))
        finding->first = "raise_limit";
    if ((made || names) && !stated)
        finding->vain = "raise_limit"; /* the cache has, or takes, what it wants */
    od_finding_bytes(finding, "free_bytes", inc->free);
    if (stated)
        od_finding_bytes(finding, "capacity_bytes",
                         failure->capacity.known ? failure->capacity : failure->rated);
    od_finding_count(finding, "tokens_count", inc->tokens);
}

const struct od_diagnoser od_diagnoser_kv_cache = {"kv_cache", look};
