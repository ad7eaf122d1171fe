/*
 * Shapes of data arrays that the log prints, compared with the failed request: a request of the
 * size of the whole array was for the whole data set.
 */
#pragma once

#include "failure/failure.h"

/* The printed shape whose size equals the request for some element width and that has more samples
 * than a batch; NULL = none. Borrowed from the case. */
const struct od_shape *od_data_set_asked_for(const struct od_case *c,
                                             const struct od_failure *failure);

/* A printed shape of data that is far smaller than the request for any element width, if all
 * printed and reported data sizes are. The request was not for the data then. NULL = none, or some
 * data is larger. */
const struct od_shape *od_data_set_far_smaller(const struct od_case *c,
                                               const struct od_failure *failure);
