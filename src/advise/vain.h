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
