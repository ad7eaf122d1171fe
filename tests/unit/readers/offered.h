/* As scan does it: a closed reader is offered lines with one of its literals only. */
#ifndef OD_TESTS_UNIT_READERS_OFFERED_H
#define OD_TESTS_UNIT_READERS_OFFERED_H

#include "readers/reading.h"

static inline bool reading_is_offered(const struct od_reading *reading, struct od_view text)
{
    if (od_reading_is_open(reading))
        return true;
    for (size_t i = 0; reading->reader->literals[i]; i++) {
        if (od_view_has(text, od_view_of(reading->reader->literals[i])))
            return true;
    }
    return false;
}

#endif
