#include "lib/retry.h"

/* Causes that recur despite any change from outside. */
static const struct {
    enum od_cause cause;
    const char *why;
} hopeless[] = {
    {OD_CAUSE_HOST_LEAK, "memory of the host grows from step to step, and would grow again"},
    {OD_CAUSE_DEVICE_LEAK, "memory of the device grows from step to step, and would grow again"},
    {OD_CAUSE_GRAPH_GROWTH, "it makes models or graphs in a loop, and would again"},
    {OD_CAUSE_EVALUATION_ACCUMULATES, "validation keeps its outputs, and would again"},
    {OD_CAUSE_OTHER_TENANT, "something else holds the device"},
    {OD_CAUSE_DRIVER_REFUSED, "something that the log does not name holds the device"},
    {OD_CAUSE_HOST_OTHER_TENANT, "other processes hold the machine's memory"},
    {OD_CAUSE_ACCIDENTAL_SHAPE, "the tensor that failed has a shape that nobody meant"},
};

static const char *why_not(const struct od_report *report)
{
    const struct od_diagnosis *diagnosis = report->diagnosis;
    if (diagnosis->failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE || diagnosis->findings.n == 0)
        return "it is not known to have failed for lack of memory";
    for (size_t i = 0; i < OD_COUNT_OF(hopeless); i++)
        if (diagnosis->findings.items[0].cause == hopeless[i].cause)
            return hopeless[i].why;
    return NULL;
}

struct od_retry od_retry_of(const struct od_report *report, char *const *argv,
                            struct od_arena *arena)
{
    struct od_retry retry = {.why_not = why_not(report)};
    retry.asked = report->diagnosis->failure->asked;
    const struct od_resume_question question = {.c = report->c,
                                                .diagnosis = report->diagnosis,
                                                .answer = report->answer,
                                                .remedies = report->remedies,
                                                .lost = report->lost,
                                                .argv = argv};
    if (!retry.why_not)
        retry.again = od_resume_command_of(&question, arena);
    if (!retry.why_not && !retry.again.eased)
        retry.why_not = "nothing that is known to help can be set from outside";
    return retry;
}
