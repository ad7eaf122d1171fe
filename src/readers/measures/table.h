/*
 * A table of memory over time, described by its heading or by the command echoed above it. Columns
 * are separated by commas, bars, tabs, gaps of two blanks or a frame, or belong to a known tool
 * (table_tools.h). Otherwise the name of a column says what it contains (table_column.h); columns
 * that are not about memory are ignored.
 */
#pragma once

#include "facts/event.h"
#include "facts/line.h"
#include "readers/measures/table_column.h"
#include "readers/measures/table_tools.h"

struct od_table {
    bool open;
    const struct od_table_tool *tool; /* the tool that prints it; NULL = unknown program */
    struct od_view by;                /* separator of cells; a tool's cells are words */
    size_t cells;                     /* number of cells in the heading */
    size_t n;
    bool smi;                         /* printed by nvidia-smi */
    bool keyed;                       /* rows have cells for the metric's name and its value */
    size_t key_at, value_at, unit_at; /* indices of these cells; unit_at: `cells` if none */
    bool repeated;                    /* the same heading preceded an earlier table */
    bool first; /* no row was read yet; a tool's first row may show the unit, and the line below
                   the heading may have the units */
    bool timed; /* the row before has a time */
    bool past_dashes; /* the dashes under the heading have been read */
    uint64_t heading;
    bool started;
    double start;
    uint64_t rows, ordinal; /* ordinal: index among the rows with the same time */
    double last;
    char ordinal_text[21];
    struct {
        size_t start, stop;
    } names[OD_TABLE_CELLS]; /* range of each name in the heading, if gaps separate cells */
    struct od_table_column columns[OD_TABLE_CELLS]; /* must be last: only n elements are used */
};

/* Is it a memory field: a size, or a share of the total? */
bool od_table_is_size(enum od_field field);

/* Opens a table if the line is its heading, or echoes a command that prints one without a heading.
 * Time information is kept if the same heading is repeated. */
bool od_table_open(struct od_table *table, struct od_view text);

/* Opens the table of the tool with that heading. */
bool od_table_open_tool(struct od_table *table, struct od_view heading);

/* Opens a table of nvidia-smi at a row of it that has no heading above: "0, NVIDIA A100, 4096 MiB,
 * 40960 MiB". The smallest size of the first row is the memory in use; the others may be what is
 * free or all there is, and are not read. */
bool od_table_open_bare(struct od_table *table, struct od_view text);

/* Takes the line below the heading that gives the columns their units: "task  [MiB]  [MiB]". */
bool od_table_take_units(struct od_table *table, struct od_view text);

/* Index of the cell below the bytes start to stop of the heading; row->n if there is none. */
size_t od_table_below(const struct od_table_cells *row, struct od_view text, size_t start,
                      size_t stop);

/* The cells of a row, without quotes and without blanks and bars around them. */
void od_table_cut(const struct od_table *table, struct od_view text, struct od_table_cells *to);
