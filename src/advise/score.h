/*
 * The position of a remedy in the list: higher scores come first.
 */
#pragma once

#include "advise/remedies.h"

/* Score that a place is worth, and bonuses. Places count from 0, the best; the greatest bonuses are
 * for remedies that the log itself asks for. */
enum {
    OD_A_PLACE = 3,
    OD_ABOVE_SAID = 4,
    OD_NAMED_ABOVE = 34,    /* a flag recommended for exactly this failure */
    OD_ANSWERED_ABOVE = 20, /* recommended by the developers of the program */
    OD_A_FINDING = 25,      /* penalty for a less probable finding */
    OD_ABOVE_ALL = 40
};

/* Did host memory run out, as opposed to a device's? */
bool od_remedy_is_for_host(const struct od_advise_question *question);

/* Does the remedy work on that subject? */
bool od_remedy_is_about(const struct od_advice_remedy *advice, const char *subject);

/* Does a line of the log show its setting, with the value that it changes? */
bool od_remedy_is_shown(const struct od_remedy *remedy);

/* Does it give more memory to something that grows without end? */
bool od_remedy_only_delays(const struct od_diagnosis *diagnosis,
                           const struct od_advice_remedy *advice);

/* first: the finding recommends this remedy first. */
double od_remedy_score(const struct od_advise_question *question, const struct od_remedy *remedy,
                       double place, bool first);
