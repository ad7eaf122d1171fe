/*
 * Titles for the names in a report's JSON. A JSON file may be untrusted: unknown names give NULL
 * and are not shown in figures.
 */
#pragma once

#include "base/base.h"

/* name may be NULL in all of these functions */
/* example: "Device memory in use" */
const char *od_name_metric(const char *name);
/* example: "batch too large" */
const char *od_name_cause(const char *name);
/* example: "allocation failed" */
const char *od_name_incident(const char *name);
const char *od_name_producer(const char *name, struct od_arena *arena); /* example: "PyTorch" */

/* The unit of a metric: " s", " %", "" if unknown; NULL = bytes. */
const char *od_name_unit(const char *name);

/* Returns name if it is short and consists of words for parts of a run, otherwise NULL. */
const char *od_name_phase(const char *name);
