/*
 * Place: where a fact applies. All members are optional: an empty view or unknown count was not
 * printed. Texts belong to the owner of the place (a lane, a line, a case).
 */
#pragma once

#include "base/base.h"

struct od_place {
    struct od_view host;
    struct od_view process; /* container, pod or program, as printed by a wrapper */
    struct od_count pid;
    struct od_count rank;
};
