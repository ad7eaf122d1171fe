#include "diagnose/single.h"

#include "failure/remarks.h"

bool od_single_restores(const struct od_diagnosis_context *context)
{
    const struct od_incident *inc = context->failure->incident;
    return od_failure_is_device(context->failure) &&
           (od_incident_calls(inc, OD_FRAME_RESTORING) ||
            od_remark_directly_above(context->c, inc, "restores"));
}
