/*
 * The kind of a table's column from its name: "gpu_mem_used_mb", "memory.used [MiB]".
 */
#pragma once

#include "facts/event.h"

struct od_table_column {
    enum od_field field;    /* OD_F_NONE: ignored */
    const char *space;      /* NULL = not stated */
    struct od_count device; /* number of the device in the name */
    char unit[6];           /* unit of numbers without one; empty = unknown */
    bool heap;              /* memory of a garbage-collected heap */
    bool guessed;           /* the unit was guessed from the first number */
    size_t at;              /* index of the cell in a row */
    size_t back;            /* index from the end, if a command column precedes it; else 0 */
    size_t start, stop;     /* bytes of its name in the heading, or of the dashes below it */
    double seconds;         /* seconds of one unit of a time; 0 = a date or a time of day */
};

/* Does a column with that name hold the metric of its row ("metric"), the value, or its unit? */
bool od_table_column_is_key(struct od_view name);
bool od_table_column_is_value(struct od_view name);
bool od_table_column_is_unit(struct od_view name);
/* Sets the unit that a row states in its own cell: "MiB", or "%". */
void od_table_column_take_unit(struct od_table_column *column, struct od_view unit);

bool od_table_column_counts(struct od_view name);

/* The column of a name chosen by an unknown program. */
struct od_table_column od_table_column_of(struct od_view name);

/* The names of nvidia-smi: "memory.used [MiB]", "used_gpu_memory". */
struct od_table_column od_table_column_of_smi(struct od_view name);
