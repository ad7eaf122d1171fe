#include "failure/phase.h"

#include "failure/remarks.h"

/* Number of frames outside of the model's own call, if a training loop calls the model. Calls in
 * the model belong to the step, whatever their name (a detector's "predict" computes its
 * output). */
static size_t frames_around_step(const struct od_incident *incident)
{
    bool trains = false;
    for (size_t i = 0; i < incident->nframes; i++) {
        uint64_t means = incident->frames[i].means;
        if (od_means(means, OD_FRAME_EVALUATION))
            break;
        if (trains && od_means(means, OD_FRAME_MODULE))
            return i;
        trains |= od_means(means, OD_FRAME_TRAINING);
    }
    return incident->nframes;
}

const struct od_phase_kind od_phase_kinds[OD_PHASES] = {
#define OD_PHASE(constant, word, frame, said, remark) \
    [OD_PHASE_##constant] = {#word, remark, OD_FRAME_##frame, OD_SAID_##said},
#include "facts/phases.def"
#undef OD_PHASE
};

static bool is_called(const struct od_incident *incident, enum od_phase phase)
{
    size_t n = phase == OD_PHASE_EVALUATION ? frames_around_step(incident) : incident->nframes;
    while (n > 0 && !od_means(incident->frames[n - 1].means, od_phase_kinds[phase].frame))
        n--;
    return n > 0;
}

enum od_phase od_phase_of(const struct od_case *c, const struct od_incident *incident,
                          const struct od_evidence **ret_told)
{
    bool steps = od_incident_calls(incident, OD_FRAME_GRADIENT);
    *ret_told = NULL;
    for (enum od_phase p = 1; p < OD_PHASES; p++)
        if (is_called(incident, p) || od_incident_says(incident, od_phase_kinds[p].said))
            return p;
    for (enum od_phase p = 1; p < OD_PHASES && !steps; p++)
        if (od_phase_kinds[p].remark &&
            (*ret_told = od_remark_find(c, incident, od_phase_kinds[p].remark)) != NULL)
            return p;
    return OD_PHASE_UNKNOWN;
}
