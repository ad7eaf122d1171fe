/*
 * Where offers of remedies come from: what the text reports to have worked, the setting named by
 * the error, answers of a program's developers, the advice of each cause, settings of the program,
 * and the user's own numbers. Sources only make offers; choose.h decides.
 */
#pragma once

#include "advise/choose.h"

/* Makes the offers for a failure with a finding. Earlier sources are preferred if two offer the
 * same. */
void od_sources_offer(struct od_choice *choice);

/* Makes the offers for memory that grows without a failure: the advice for a leak. */
void od_sources_offer_growth(struct od_choice *choice, const struct od_series *grows,
                             const struct od_evidence *told);
