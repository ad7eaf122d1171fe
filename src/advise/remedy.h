/*
 * Questions about one remedy.
 */
#pragma once

#include "advise/remedies.h"

/* Did host memory run out, as opposed to a device's? */
bool od_remedy_is_for_host(const struct od_advise_question *question);

/* Does the remedy work on that subject? */
bool od_remedy_is_about(const struct od_advice_remedy *advice, const char *subject);

/* Does a line of the log show its setting, with the value that it changes? */
bool od_remedy_is_shown(const struct od_remedy *remedy);
