#include "diagnose/finding.h"
#include "diagnose/host.h"

/* A worker that dies of a bus error has written behind the end of /dev/shm. */
static bool is_bus_error(const struct od_incident *inc)
{
    return inc->kind == OD_INC_WORKER_KILLED && (od_incident_says(inc, OD_SAID_BUS_ERROR) ||
                                                 od_incident_says(inc, OD_SAID_SHARED_MEMORY));
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure)
        return;
    bool stated = failure->incident->kind == OD_INC_SHM_EXHAUSTED;
    if (!stated && !is_bus_error(failure->incident))
        return;
    bool files = od_incident_says(failure->incident, OD_SAID_DESCRIPTORS);
    struct od_finding *finding = od_finding_add(context, files ? OD_CLUE(SHM_TOO_SMALL, descriptors)
                                                               : OD_CLUE(SHM_TOO_SMALL, full));
    od_finding_say(context, finding,
                   files ? "The workers pass batches through file descriptors of shared memory, "
                           "and the process ran out of descriptors."
                         : "Shared memory is too small for what the processes pass through it.");
    finding->first = files ? NULL : "larger_shm"; /* one batch of one worker may be larger */
    od_finding_failure(finding, failure);
    od_finding_workers(finding,
                       od_failure_setting(context->c, OD_SETTING_WORKERS, &failure->incident->at));
}

const struct od_diagnoser od_diagnoser_shm_too_small = {"shm_too_small", look};
