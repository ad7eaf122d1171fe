/*
 * Handles a request: reads the body, parses the form, and analyzes the log or plans for the model.
 * Runs in a process that is locked (host/lock.h) before the first byte of the body is read.
 */
#pragma once

#include "cgi/outside.h"

/* Reads the body from `in` and writes the answer to `out` (cgi/wire.h). */
extern const struct od_inside od_cgi_work;
