/* As scan does it: a lane that is closed is offered lines with one of its literals only. */
#ifndef OD_TESTS_UNIT_READERS_OFFERED_H
#define OD_TESTS_UNIT_READERS_OFFERED_H

#include "base/num.h"
#include "readers/reading.h"

static inline bool has_numbered(struct od_view text, struct od_view literal)
{
    size_t at = od_view_find(text, literal, 0);
    while (at != OD_VIEW_NONE && !od_num_follows(text, at + literal.n))
        at = od_view_find(text, literal, at + 1);
    return at != OD_VIEW_NONE;
}

static inline bool reading_is_hit(const struct od_reading *reading, struct od_view text)
{
    for (size_t i = 0; reading->reader->literals[i]; i++) {
        if (od_view_has(text, od_view_of(reading->reader->literals[i])))
            return true;
    }
    const char *const *numbered = reading->reader->numbered;
    for (; numbered && *numbered; numbered++) {
        if (has_numbered(text, od_view_of(*numbered)))
            return true;
    }
    return false;
}

#endif
