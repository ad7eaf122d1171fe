/*
 * Arrays of data whose shape the log prints, and the request that failed: a request as large as all
 * of them was for the whole set.
 */
#pragma once

#include "failure/failure.h"

/* The printed shape that is as large as the request, at any width of an element, and has more
 * samples than a batch; NULL = none. It is the case's. */
const struct od_shape *od_data_set_asked_for(const struct od_case *c,
                                             const struct od_failure *failure);
