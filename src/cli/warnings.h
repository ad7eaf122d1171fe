/*
 * Warnings on standard error about memory that a running command will still need
 * (fit/pending_memory.h).
 */
#pragma once

#include "base/map.h"

struct od_case;

/* Prints a line for each new warning; memory that fits gives none. name: of the log, may be NULL.
 * said: the warnings already printed. Returns their number. */
size_t od_print_warnings(const struct od_case *c, const char *name, struct od_map *said);
