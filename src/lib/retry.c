#include "lib/retry.h"

/* Is its first cause one that no setting of the program mends? */
static bool is_beyond(const struct od_diagnosis *diagnosis)
{
    enum od_cause first = diagnosis->findings.n > 0 ? diagnosis->findings.items[0].cause : 0;
    return first == OD_CAUSE_OTHER_TENANT || first == OD_CAUSE_DRIVER_REFUSED ||
           first == OD_CAUSE_HOST_OTHER_TENANT || first == OD_CAUSE_ACCIDENTAL_SHAPE;
}

struct od_retry od_retry_of(const struct od_report *report, char *const *argv, uint64_t attempt,
                            struct od_arena *arena)
{
    const struct od_failure *failure = report->diagnosis->failure;
    bool of_memory = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    struct od_retry retry = {.asked = failure->asked, .limit = failure->limit};
    const struct od_resume_question question = {.c = report->c,
                                                .diagnosis = report->diagnosis,
                                                .answer = report->answer,
                                                .remedies = report->remedies,
                                                .lost = report->lost,
                                                .argv = argv,
                                                .attempt = attempt};
    if (of_memory && !is_beyond(report->diagnosis))
        retry.again = od_resume_command_of(&question, arena);
    if (!retry.again.eased)
        retry.why_not = of_memory ? "no remedy that helps can be set from outside"
                                  : "the log does not show that it failed for lack of memory";
    return retry;
}
