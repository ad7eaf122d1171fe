/*
 * Questions about one remedy: its subject, whether the log shows or tried it.
 */
#pragma once

#include "advise/remedies.h"
#include "facts/bounds.h"

/* Did host memory run out, as opposed to a device's? */
/* The limit that the setting sets, according to the advice on settings; NULL = none. */
const struct od_advice_kind *od_remedy_limit(const struct od_advise_question *question,
                                             const char *knob);

/* What the text states of the values of a setting; name: in the vocabulary of knobs. */
struct od_bounds od_remedy_bounds(const struct od_advise_question *question, const char *name);

bool od_remedy_is_for_host(const struct od_advise_question *question);

/* Did people change its setting, or another one of the same limit, without effect, to a value that
 * they do not state? */
bool od_remedy_was_changed(const struct od_advise_question *question,
                           const struct od_advice_remedy *advice);

bool od_remedy_is_about(const struct od_advice_remedy *advice, const char *subject);

/* Does a line of the log show its setting with the value that it changes? */
bool od_remedy_is_shown(const struct od_remedy *remedy);

bool od_remedies_have(const struct od_remedy *list, size_t n, const char *id);

/* Are both names equal? name: NULL = none. */
static inline bool od_is_called(const char *name, const char *id)
{
    return name && strcmp(name, id) == 0;
}
