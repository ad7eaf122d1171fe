/* State and helpers for the rows of fields.def, while a report or a plan is written as JSON. */
#pragma once

#include "report/json_write.h"
#include "report/record.h"
#include "report/report.h"

struct od_plan_compared;

struct od_json_report {
    struct od_json *json;
    struct od_arena *arena;                  /* arena of temporary texts */
    const struct od_report *report;          /* NULL: a plan or another result is written */
    const struct od_allocator *allocator;    /* the allocator that is being written */
    const struct od_workload *asked;         /* the workload that the options change */
    const struct od_plan_compared *expected; /* the peaks of a plan */
    bool chunks;                             /* list every chunk */
    bool samples;                            /* list every point of a series */
};

/* [180, 64, 224, 224], null for a dimension that is not known; null for no shape. */
void od_json_shape(struct od_json *json, const char *key, const struct od_shape *shape);

/* Null if unknown. */
void od_json_real(struct od_json *json, const char *key, struct od_real real);

/* A count, followed by its interval as range_key. */
void od_json_predicted(struct od_json *json, const char *key, const char *range_key,
                       struct od_bytes bytes);
