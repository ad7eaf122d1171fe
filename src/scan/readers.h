/*
 * All readers of lines: those of logs and measures (src/readers/), then those of printed models
 * (src/models/printed/). A line is offered to them in this order.
 */
#pragma once

#include "readers/reader.h"

/* NULL-terminated, in the order of the two local.mk. */
extern const struct od_reader *const od_readers[];
