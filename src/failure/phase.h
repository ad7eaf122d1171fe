/*
 * The phase in which the run failed, by calls, messages and remarks of people. Never proof.
 */
#pragma once

#include "case/case.h"

enum od_phase {
    OD_PHASE_UNKNOWN,
#define OD_PHASE(constant, word, frame, said, remark) OD_PHASE_##constant,
#include "facts/phases.def"
#undef OD_PHASE
    OD_PHASES
};

/* ret_told: the remark of a person that shows the phase; NULL = none does. */
enum od_phase od_phase_of(const struct od_case *c, const struct od_incident *incident,
                          const struct od_evidence **ret_told);

struct od_phase_kind {
    const char *word;   /* word in conditions; NULL = unknown */
    const char *remark; /* of a person */
    enum od_frame_meaning frame;
    enum od_said_meaning said;
};
extern const struct od_phase_kind od_phase_kinds[OD_PHASES];
