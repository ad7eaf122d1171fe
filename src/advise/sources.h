/*
 * Where offers for remedies come from: what the text says that worked, the setting that the
 * error names, what the people of a program answer, the advice of each cause, the settings of the
 * program, the user's own numbers. Sources only propose; what is chosen is decided in choose.h.
 */
#pragma once

#include "advise/choose.h"

/* Of a failure with a finding, from all sources; those that come first are preferred where two say
 * the same. */
void od_sources_offer(struct od_choice *choice);

/* Of memory that grows without a failure: by the advice of a leak. */
void od_sources_offer_growth(struct od_choice *choice, const struct od_series *grows);
