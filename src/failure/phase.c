#include "failure/phase.h"

/* Number of frames up to the model's own call, if a training loop made that call. Calls inside of
 * the model belong to the step whatever their name is (a detector's "predict" computes its
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
    for (size_t p = 0; p < OD_COUNT_OF(phases); p++) {
        bool evaluates = phases[p].phase == OD_PHASE_EVALUATION;
        for (size_t i = evaluates ? frames_around_step(incident) : incident->nframes; i-- > 0;)
            if (od_means(incident->frames[i].means, phases[p].meaning)) {
                *ret_frame = &incident->frames[i];
                return phases[p].phase;
            }
    }
    return od_incident_says(incident, OD_SAID_LOADING) ? OD_PHASE_LOAD : OD_PHASE_UNKNOWN;
}

bool od_phase_reads_one_sample(const struct od_incident *incident)
{
    return od_incident_calls(incident, OD_FRAME_ONE_SAMPLE) &&
           !od_incident_calls(incident, OD_FRAME_COLLATING) &&
           !od_incident_calls(incident, OD_FRAME_WHOLE_FILE);
}
