#include "facts/certainty.h"

const char *od_certainty_name(enum od_certainty certainty)
{
    static const char *const names[] = {
        [OD_POSSIBLE] = "possible",
        [OD_LIKELY] = "likely",
        [OD_CERTAIN] = "certain",
    };
    return names[certainty];
}
