/*
 * All readers of lines: those of logs and measures (src/readers/), then those of printed models
 * (src/models/printed/). A line is given to them in this order.
 */
#pragma once

#include "readers/reader.h"

/* The list ends with NULL; its order is that of both local.mk. */
extern const struct od_reader *const od_readers[];
