#include "failure/phase.h"

enum od_phase od_phase_of(const struct od_incident *incident, const struct od_frame **ret_frame)
{
    static const struct {
        enum od_phase phase;
        enum od_frame_meaning meaning;
    } phases[] = {
        {OD_PHASE_EVALUATION, OD_FRAME_EVALUATION}, {OD_PHASE_GATHER, OD_FRAME_GATHER},
        {OD_PHASE_OPTIMIZER, OD_FRAME_OPTIMIZER},   {OD_PHASE_LOAD, OD_FRAME_LOAD},
        {OD_PHASE_INPUT, OD_FRAME_INPUT},           {OD_PHASE_REPLAY, OD_FRAME_REPLAY},
    };
    *ret_frame = NULL;
    for (size_t p = 0; p < OD_COUNT_OF(phases); p++)
        for (size_t i = incident->nframes; i-- > 0;)
            if (od_means(incident->frames[i].means, phases[p].meaning)) {
                *ret_frame = &incident->frames[i];
                return phases[p].phase;
            }
    return OD_PHASE_UNKNOWN;
}

struct od_evaluation od_evaluation_of(const struct od_incident *incident)
{
    return (struct od_evaluation){
        .keeps = od_incident_calls(incident, OD_FRAME_COLLECTING),
        .trained = od_incident_calls(incident, OD_FRAME_TRAINING) &&
                   !od_incident_calls(incident, OD_FRAME_SANITY),
        .validates = od_incident_calls(incident, OD_FRAME_VALIDATION),
    };
}
