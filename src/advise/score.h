/* How near the top of the list a remedy stands: the higher its score the nearer. */
#pragma once

#include "advise/remedies.h"

/* Places are counted from 0, the best; what stands above all is asked for by the log itself. */
enum {
    OD_A_PLACE = 3,
    OD_ABOVE_SAID = 4,
    OD_NAMED_ABOVE = 34,    /* a flag that somebody advises for this very failure */
    OD_ANSWERED_ABOVE = 20, /* by the people of the program */
    OD_A_FINDING = 25,      /* of a less probable one */
    OD_ABOVE_ALL = 40
};

/* Did memory of the machine run short, not of a device? */
bool od_remedy_is_for_host(const struct od_advise_question *question);

/* Is that what it works on? */
bool od_remedy_is_about(const struct od_advice_remedy *advice, const char *subject);

/* Does a line of the log show its setting, with the value that it changes? */
bool od_remedy_is_shown(const struct od_remedy *remedy);

/* first: the finding says that it is. */
double od_remedy_score(const struct od_advise_question *questionuestion,
                       const struct od_remedy *remedy, double place, bool first);
