/*
 * Place: where a fact holds. Everything optional: an empty view or an unknown count was not said.
 * Texts belong to whoever made the place (a lane, a line, a case).
 */
#pragma once

#include "base/base.h"

struct od_place {
    struct od_view host;
    struct od_view process; /* container, pod or program of a wrapper */
    struct od_count pid;
    struct od_count rank;
};
