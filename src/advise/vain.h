/*
 * Remedies that the failure itself shows to be of no use, whoever advises them.
 */
#pragma once

#include "advise/remedies.h"

/* A smaller batch, where there is none or it is one already. */
bool od_remedy_is_vain_for_batch(const struct od_advise_question *question,
                                 const struct od_advice_remedy *advice);

/* Anything else. */
bool od_remedy_is_vain(const struct od_advise_question *question,
                       const struct od_advice_remedy *advice);

/* Of a larger share of the device: what it gains, where that is less than is missing; else NULL. */
const char *od_remedy_falls_short(const struct od_advise_question *question,
                                  const struct od_remedy *remedy, struct od_arena *arena);
