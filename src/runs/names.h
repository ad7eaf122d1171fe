/*
 * What a report's JSON calls things, in words of ours. What is read back may be anybody's text:
 * whatever is not a name of ours gives NULL, and has no place in a figure.
 */
#pragma once

#include "base/base.h"

/* name may be NULL in all of them. */
const char *od_name_metric(const char *name);                           /* "Device memory in use" */
const char *od_name_cause(const char *name);                            /* "batch too large" */
const char *od_name_incident(const char *name);                         /* "allocation failed" */
const char *od_name_producer(const char *name, struct od_arena *arena); /* "PyTorch" */

/* Of a metric's values: " s", " %", "" where nobody knows it; NULL: they are bytes. */
const char *od_name_unit(const char *name);

/* The name itself where it is made of words that name parts of a run, and short; else NULL. */
const char *od_name_phase(const char *name);
