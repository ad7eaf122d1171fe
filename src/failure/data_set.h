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

/* A shape of data that is far smaller than the request, however wide its elements are, where all
 * that is printed or told of is: that data is not what was asked for. NULL = none, or some is
 * larger. */
const struct od_shape *od_data_set_far_smaller(const struct od_case *c,
                                               const struct od_failure *failure);
