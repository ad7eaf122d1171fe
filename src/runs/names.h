/*
 * Words for the names in a report's JSON. A JSON file may be untrusted: unknown names give NULL and
 * are not shown in figures.
 */
#pragma once

#include "base/base.h"

/* name may be NULL in all of these. */
const char *od_name_metric(const char *name);                           /* "Device memory in use" */
const char *od_name_cause(const char *name);                            /* "batch too large" */
const char *od_name_incident(const char *name);                         /* "allocation failed" */
const char *od_name_producer(const char *name, struct od_arena *arena); /* "PyTorch" */

/* The unit of a metric: " s", " %", "" if unknown; NULL: bytes. */
const char *od_name_unit(const char *name);

/* The name itself if it is short and made of words for parts of a run; else NULL. */
const char *od_name_phase(const char *name);
