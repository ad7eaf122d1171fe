#include "diagnose/single.h"

#include "failure/remarks.h"

static const double small_request = 0.02; /* of the device */

bool od_single_fills(const struct od_failure *failure)
{
    static const double nearly_all = 0.8;
    return failure->in_use.known && failure->capacity.known &&
           (double)failure->in_use.n >= nearly_all * (double)failure->capacity.n;
}

bool od_single_restores(const struct od_diagnosis_context *context)
{
    const struct od_incident *inc = context->failure->incident;
    return od_failure_is_device(context->failure) &&
           (od_incident_calls(inc, OD_FRAME_RESTORING) ||
            od_remark_directly_above(context->c, inc, "restores"));
}

bool od_single_has_fitted(const struct od_failure *failure)
{
    enum { LONG_ALLOCATIONS = 200000, LONG_PROGRESS = 10 };
    return failure->progress >= LONG_PROGRESS ||
           (failure->allocations.known && failure->allocations.n >= LONG_ALLOCATIONS);
}

struct od_single od_single_of(const struct od_diagnosis_context *context)
{
    const struct od_case *c = context->c;
    const struct od_failure *failure = context->failure;
    const struct od_fit_facts *facts = &context->fit->facts;
    /* Of an evaluation nobody said the batch, and that of the training had fit. */
    bool one_failed = !failure->evaluates && context->fit->known &&
                      (facts->failed == 1 || (facts->batch.known && facts->batch.n == 1));
    bool several = failure->batch.known && failure->batch.n > 1;
    bool shown = failure->hint.batch.known && failure->hint.batch.n > 1;
    bool loads = failure->phase == OD_PHASE_LOAD || od_failure_is_server(failure);
    return (struct od_single){
        .trains = failure->use.trains || failure->progress > 0,
        .infers = failure->use.infers && !several && !loads,
        .batchless = failure->use.batchless && !several && !loads,
        .exceeds = (!several || one_failed) && !shown && !failure->hint.constant &&
                   od_bytes_less(failure->capacity, failure->asked) == OD_YES,
        .piles = od_single_has_fitted(failure) || od_remark_find(c, failure->incident, "growth") ||
                 od_remark_find(c, failure->incident, "late"),
        .scores = !several && !shown && od_incident_ends_in(failure->incident, OD_FRAME_SCORES),
        .of_one = one_failed ||
                  (!failure->evaluates && !shown && failure->batch.known && failure->batch.n == 1),
        .input = failure->account.in_pieces ? NULL : od_remark_find(c, failure->incident, "input"),
        .straw = failure->need.known && od_failure_need_share(failure) < small_request &&
                 od_single_fills(failure),
        .same_anyway = failure->batch_independent,
        .vain = od_remark_find(c, failure->incident, "batch_vain"),
    };
}
