/*
 * The phase of the run in which it failed, by calls, messages and what people say. Never proof.
 */
#pragma once

#include "case/case.h"

enum od_phase {
    OD_PHASE_UNKNOWN,
#define OD_PHASE(constant, word, frame, said, remark, doing) OD_PHASE_##constant,
#include "facts/phases.def"
#undef OD_PHASE
    OD_PHASES
};

/* ret_told: the remark of a person that shows the phase; NULL = a call or a message, or nothing. */
enum od_phase od_phase_of(const struct od_case *c, const struct od_incident *incident,
                          const struct od_evidence **ret_told);

struct od_phase_kind {
    const char *word;           /* in conditions; NULL = unknown */
    const char *remark, *doing; /* of a person; what the run did: "weights were loaded" */
    enum od_frame_meaning frame;
    enum od_said_meaning said;
};
extern const struct od_phase_kind od_phase_kinds[OD_PHASES];
