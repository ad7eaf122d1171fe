/*
 * The phase of the run in which it failed, from the calls of the failure's traceback and the words
 * of its messages. Judgement, never proof.
 */
#pragma once

#include "case/case.h"

enum od_phase {
    OD_PHASE_UNKNOWN,
    OD_PHASE_LOAD,       /* weights are loaded, moved to the device or converted */
    OD_PHASE_OPTIMIZER,  /* the optimizer makes its state, or steps */
    OD_PHASE_GATHER,     /* sharded weights are gathered, gradients reduced */
    OD_PHASE_EVALUATION, /* validation, test, prediction */
    OD_PHASE_INPUT,      /* data is read or prepared */
    OD_PHASE_REPLAY      /* the steps that reinforcement learning remembers are given room */
};

/* *ret_frame: the call that shows the phase; NULL where a message does, or nothing. */
enum od_phase od_phase_of(const struct od_incident *incident, const struct od_frame **ret_frame);

/* Was it asked for while a loader read one sample, before any were put together? A file that is
 * read whole may hold them all. */
bool od_phase_reads_one_sample(const struct od_incident *incident);

/* How an evaluation was called. */
struct od_evaluation {
    bool keeps;     /* outputs of its steps are put together */
    bool trained;   /* from inside a training that had begun */
    bool validates; /* it validates, which is done beside a training; not a test or a prediction */
};
struct od_evaluation od_evaluation_of(const struct od_incident *incident);
