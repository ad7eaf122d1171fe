/*
 * A request worked on: the body read, the form parsed, the log analyzed or the model planned for.
 * Runs in a process of its own, locked (host/lock.h) before the first byte of the body is read.
 */
#pragma once

#include "cgi/outside.h"

/* Answers through out (cgi/wire.h). in is the body. */
extern const struct od_inside od_cgi_work;
