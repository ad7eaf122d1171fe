#include "lib/retry.h"

struct od_retry od_retry_of(const struct od_report *report, char *const *argv,
                            struct od_arena *arena)
{
    const struct od_failure *failure = report->diagnosis->failure;
    bool of_memory = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    struct od_retry retry = {.asked = failure->asked};
    const struct od_resume_question question = {.c = report->c,
                                                .diagnosis = report->diagnosis,
                                                .answer = report->answer,
                                                .remedies = report->remedies,
                                                .lost = report->lost,
                                                .argv = argv};
    if (of_memory)
        retry.again = od_resume_command_of(&question, arena);
    if (!retry.again.eased)
        retry.why_not = of_memory ? "nothing that is known to help can be set from outside"
                                  : "it is not known to have failed for lack of memory";
    return retry;
}
