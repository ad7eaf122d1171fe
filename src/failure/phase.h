/*
 * The phase of the run in which it failed, judged from the traceback and the messages. Never proof.
 */
#pragma once

#include "case/case.h"

enum od_phase {
    OD_PHASE_UNKNOWN,
    OD_PHASE_LOAD,       /* weights are loaded, converted or moved to the device */
    OD_PHASE_OPTIMIZER,  /* the optimizer creates its state or makes a step */
    OD_PHASE_GATHER,     /* sharded weights are gathered or gradients reduced */
    OD_PHASE_EVALUATION, /* validation, test, prediction */
    OD_PHASE_INPUT,      /* data is read or prepared */
    OD_PHASE_REPLAY      /* the replay buffer of reinforcement learning is allocated */
};

/* ret_frame: the call that shows the phase; NULL if a message shows it, or nothing. */
enum od_phase od_phase_of(const struct od_incident *incident, const struct od_frame **ret_frame);

/* Was the memory requested while a loader read one sample, before batching? A file that is read
 * completely may contain all samples. */
bool od_phase_reads_one_sample(const struct od_incident *incident);
