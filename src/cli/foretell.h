/*
 * Warnings on standard error about memory that a running command will still need
 * (fit/pending_memory.h).
 */
#pragma once

#include "base/map.h"

struct od_case;

/* One line each, those that were not said before; what fits is not worth a word. name: of the log;
 * may be NULL. said keeps what was. Returns how many. */
size_t od_foretell(const struct od_case *c, const char *name, struct od_map *said);
