/*
 * What the text's own numbers (facts/mention.h) say is to be changed: the number with which a
 * person says that it works, an amount that a setting allows and the machine does not have, and how
 * many run at once where the machine's memory ran out.
 */
#pragma once

#include "advise/remedies.h"

enum od_own_reason { OD_OWN_NONE, OD_OWN_WORKED, OD_OWN_TOO_LARGE, OD_OWN_AT_ONCE };

struct od_own_number {
    enum od_own_reason reason;
    const struct od_mention *mention;
    const char *title, *text;
    const char *code; /* NULL = it is no setting */
};

/* The best one, which is about no line that a known remedy changes; its reason is OD_OWN_NONE where
 * there is none. Texts in arena. */
struct od_own_number od_own_number_of(const struct od_advise_question *question,
                                      const struct od_remedies *known, struct od_arena *arena);
