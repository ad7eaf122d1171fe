/*
 * The columns of system tools and the units of their bare numbers (table.tools). Rows without a
 * heading, as after grep, are recognized by their form.
 */
#pragma once

#include "facts/event.h"

enum { OD_TABLE_CELLS = 64, OD_TABLE_NAMES = 6 };

/* The cells of a row; one more than a table may have, where it has too many. */
struct od_table_cells {
    struct od_view items[OD_TABLE_CELLS + 1];
    size_t n;
};

struct od_table_tool {
    struct od_view must[3]; /* words of the heading */
    int shift;              /* rows have so many more words on the left */
    const char *as;         /* the heading of one whose names have blanks in them */
    const char *row;        /* rows begin with this word; NULL = any */
    const char *unit;       /* of bare numbers; NULL = what they prove */
    const char *space;
    const char *process; /* all rows are of; NULL = they say it, or none */
    bool processes;      /* a row a process, or a group of them */
    bool ruled;          /* dashes below the heading are as wide as its columns */
    struct {
        const char *heading;
        enum od_field field;
    } names[OD_TABLE_NAMES];
};

/* Joins "512" and "MB" of a table separated by blanks: takes the unit from the front of rest. */
void od_table_take_unit(struct od_view *rest, struct od_view *cell);

/* The words of a line, without a time that the user added before a row of free or ps. */
void od_table_words(struct od_view text, struct od_table_cells *to);

/* The tool that prints that heading; NULL if unknown. */
const struct od_table_tool *od_table_tool_of(const struct od_table_cells *heading);

/* The heading for a row without one; NULL if the row is unknown. */
const char *od_table_heading_for(const struct od_table_cells *row);

/* "1234" in that unit (NULL = unknown), "4.5g" of top, "12Gi" of free -h, "812K" of Slurm. */
struct od_bytes od_table_size(struct od_view text, const char *unit);
