#include "diagnose/scene.h"

/* Incidents whose kind is all there is to say about their cause so far. */
struct kind_rule {
    enum od_cause cause;
    double probability; /* 0 = the kind tells no cause */
    const char *summary;
};

static const struct kind_rule kind_rules[OD_INC_END] = {
    [OD_INC_KV_CACHE_TOO_SMALL] = {OD_CAUSE_KV_CACHE, 0.85,
                                   "The cache for keys and values that was asked for does not fit "
                                   "beside the weights."},
    [OD_INC_HOST_ALLOC_FAILED] = {OD_CAUSE_HOST_EXHAUSTED, 0.5,
                                  "Memory of the host was refused to this process."},
    [OD_INC_HOST_OOM_KILL] = {OD_CAUSE_HOST_EXHAUSTED, 0.7,
                              "The kernel killed a process because the machine's memory was "
                              "exhausted."},
    [OD_INC_CGROUP_OOM_KILL] = {OD_CAUSE_GROUP_LIMIT, 0.8,
                                "The kernel killed a process because its group's limit was "
                                "exceeded."},
    [OD_INC_JOB_LIMIT_KILL] = {OD_CAUSE_GROUP_LIMIT, 0.8,
                               "The scheduler ended the job because its memory limit was "
                               "exceeded."},
    [OD_INC_PRESSURE_KILL] = {OD_CAUSE_HOST_EXHAUSTED, 0.6,
                              "A guard of the machine's memory ended a process before it ran "
                              "out."},
    [OD_INC_SHM_EXHAUSTED] = {OD_CAUSE_SHM_TOO_SMALL, 0.85,
                              "Shared memory is too small for what the workers pass on."},
};

/* An exception that names memory, and nobody said which memory or how much of it. */
static void report_bare(struct od_diagnosis_context *context)
{
    if (context->diagnosis->outcome != OD_OUTCOME_MEMORY_FAILURE || context->diagnosis->failure ||
        context->c->incidents.n > 0)
        return;
    struct od_finding *finding = od_finding_add(context, OD_CAUSE_HOST_EXHAUSTED, OD_POSSIBLE, 0.3);
    finding->summary = "An exception says that memory ran out, but not which memory nor how much "
                       "was asked for.";
    for (size_t i = 0; i < context->c->moments.n; i++)
        if (context->c->moments.items[i].kind == OD_EV_EXCEPTION)
            od_finding_evidence(finding, &context->c->moments.items[i].said);
}

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    report_bare(context);
    if (!od_scene_of(context, &scene) || scene.incident->kind >= OD_INC_END)
        return;
    const struct kind_rule *rule = &kind_rules[scene.incident->kind];
    if (!rule->summary)
        return;
    struct od_finding *finding = od_finding_add(context, rule->cause, OD_LIKELY, rule->probability);
    finding->summary = rule->summary;
    od_finding_scene(finding, &scene);
}

const struct od_diagnoser od_diagnoser_by_kind = {"by_kind", look};
