/*
 * Sources of offers: remedies that worked according to the text, the setting named by the error,
 * answers of a program's developers, the advice of each cause, settings of the program, and the
 * user's own numbers. Sources only make offers; choose.h decides.
 */
#pragma once

#include "advise/choose.h"

/* Makes the offers for a failure with a finding. If two sources offer the same, the earlier one is
 * preferred. */
void od_sources_offer(struct od_choice *choice);

/* Makes the offers for memory that grows without a failure: the advice for a leak. */
void od_sources_offer_growth(struct od_choice *choice, const struct od_series *grows,
                             const struct od_evidence *told);
