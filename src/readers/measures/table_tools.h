/*
 * The columns of system tools and the units of their bare numbers (table.tools). Rows without a
 * heading, as after grep, are recognized by their form.
 */
#pragma once

#include "facts/event.h"

enum { OD_TABLE_CELLS = 64, OD_TABLE_NAMES = 6 };

/* The cells of a row; one more than allowed if there are too many. */
struct od_table_cells {
    struct od_view items[OD_TABLE_CELLS + 1];
    size_t n;
};

struct od_table_tool {
    struct od_view must[3]; /* words that the heading must have */
    int shift;              /* rows have this many more words on the left */
    const char *as;         /* the heading to use instead, for one whose names contain blanks */
    const char *row;        /* first word of its rows; NULL = any */
    const char *unit;       /* unit of bare numbers; NULL = derived from the numbers */
    const char *space;
    const char *process; /* process of all rows; NULL = named in the rows, or none */
    bool processes;      /* each row is a process, or a group of processes */
    bool ruled;          /* dashes below the heading have the width of the columns */
    struct {
        const char *heading;
        enum od_field field;
    } names[OD_TABLE_NAMES];
};

/* Joins "512" and "MB" of a table separated by blanks: takes the unit from the front of rest. */
void od_table_take_unit(struct od_view *rest, struct od_view *cell);

/* The words of a line, without a time that the user added before a row of free or ps. */
void od_table_words(struct od_view text, struct od_table_cells *to);

/* The cell with that text; the number of cells if there is none. */
size_t od_table_at(const struct od_table_cells *cells, struct od_view text);

/* The tool that prints that heading; NULL if unknown. */
const struct od_table_tool *od_table_tool_of(const struct od_table_cells *heading);

/* The heading for a row without one; NULL if the row is unknown. */
const char *od_table_heading_for(const struct od_table_cells *row);

/* "1234" in that unit (NULL = unknown), "4.5g" of top, "12Gi" of free -h, "812K" of Slurm. */
struct od_bytes od_table_size(struct od_view text, const char *unit);
