/*
 * The effect of a remedy according to the numbers of the failure: the bytes that it frees or adds,
 * compared with the missing bytes. Unknown if the log lacks one of them.
 */
#pragma once

#include "advise/remedies.h"

/* The effect as a word of the fact `cure`; NULL = not known. */
const char *od_gain_of(const struct od_advise_question *question, const struct od_remedy *remedy);

/* Why a larger share of the device adds less than the missing bytes, on this device or on any; NULL
 * if it may add enough. Allocated in arena. */
const char *od_gain_share_is_short(const struct od_advise_question *question,
                                   const struct od_remedy *remedy, struct od_arena *arena);

/* Does the remedy only give more memory to something that grows without end? */
bool od_gain_is_delay(const struct od_advise_question *question,
                      const struct od_advice_remedy *advice);
