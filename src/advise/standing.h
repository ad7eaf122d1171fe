/*
 * The current value of a program's setting in the log, and whether the setting is on already, so
 * that changing it has no further effect.
 */
#pragma once

#include "advise/remedies.h"

struct od_standing {
    const struct od_seen *seen; /* where the log shows it; NULL = nowhere */
    bool counts;                /* its value is a number to change, not a word or a switch */
    bool on;                    /* it has nothing more to give */
};

/* more: it is to be raised, even if memory falls when it is lowered. */
struct od_standing od_standing_of(const struct od_advise_question *question,
                                  const struct od_software *software, const struct od_knob *knob,
                                  bool more, struct od_arena *arena);

/* Where the log shows one form of the setting, at best before the failure; NULL = nowhere. */
const struct od_seen *od_standing_seen(const struct od_advise_question *question, const char *form);

/* Does the setting take a word, which cannot be halved? */
bool od_knob_takes_a_word(const struct od_knob *knob);
