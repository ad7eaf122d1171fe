/*
 * Questions about one remedy.
 */
#pragma once

#include "advise/remedies.h"

/* Did host memory run out, as opposed to a device's? */
/* The limit that the setting sets, by the advice on settings; NULL = none. */
const struct od_advice_kind *od_remedy_limit(const struct od_advise_question *question,
                                             const char *knob);

bool od_remedy_is_for_host(const struct od_advise_question *question);

/* Does the remedy work on that subject? */
bool od_remedy_is_about(const struct od_advice_remedy *advice, const char *subject);

/* Does a line of the log show its setting, with the value that it changes? */
bool od_remedy_is_shown(const struct od_remedy *remedy);

/* Is a remedy of that id in the list? */
bool od_remedies_have(const struct od_remedy *list, size_t n, const char *id);

/* Is it that name? name: NULL = none. */
static inline bool od_is_called(const char *name, const char *id)
{
    return name && strcmp(name, id) == 0;
}
