/*
 * Shapes of data arrays that the log prints, compared with the failed request.
 */
#pragma once

#include "failure/failure.h"

/* A printed shape of data that is far smaller than the request for any element width, if all
 * printed and reported data sizes are. The request was not for the data then. NULL = none, or some
 * data is larger. */
const struct od_shape *od_data_set_far_smaller(const struct od_case *c,
                                               const struct od_failure *failure);
