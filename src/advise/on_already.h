/* What the log shows to be on already is not advised. */
#pragma once

#include "advise/remedies.h"

/* Does the log show one of the settings that make the way superfluous? */
bool od_how_is_on(const struct od_advise_question *question, const struct od_advice_how *how);
