/* What the rows of fields.def have at hand while a report or a plan is written as JSON. */
#pragma once

#include "report/json_write.h"
#include "report/report.h"

struct od_plan_compared;

struct od_json_report {
    struct od_json *json;
    struct od_arena *arena;                  /* of texts that are made on the way */
    const struct od_report *report;          /* NULL: a plan or something else is written */
    const struct od_allocator *allocator;    /* that is being written */
    const struct od_workload *asked;         /* which options change */
    const struct od_plan_compared *foretold; /* the peaks of a plan */
    bool chunks;                             /* list every chunk */
    bool samples;                            /* and every point of a series */
};

/* [180, 64, 224, 224], null for a dimension that is not known; null for no shape. */
void od_json_shape(struct od_json *json, const char *key, const struct od_shape *shape);
