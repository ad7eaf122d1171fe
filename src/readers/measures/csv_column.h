/*
 * What a column of comma-separated values is by its name: "gpu_mem_used_mb", "memory.used [MiB]".
 */
#pragma once

#include "facts/event.h"

struct od_csv_column {
    enum od_field field; /* OD_F_NONE: of no interest */
    const char *space;
    struct od_count device; /* "gpu1_mem_used_mb" */
    char unit[6];           /* of numbers without one; empty = unknown */
    bool guessed;           /* the unit, by the first number */
    size_t start, stop;     /* of its name in the heading, where gaps part columns */
    double seconds;         /* of one unit of a time; 0 = a date or a time of day */
};

/* Does such a column count steps or time? */
bool od_csv_column_counts(struct od_view name);

/* A name that anybody may have given. */
struct od_csv_column od_csv_column_of(struct od_view name);

/* The names of nvidia-smi: "memory.used [MiB]", "used_gpu_memory". */
struct od_csv_column od_csv_column_of_smi(struct od_view name);
