/*
 * Lists the lines of a part of a block with their shapes, and filters the lines with new shapes.
 * The result does not depend on earlier lines.
 *
 * While most lines have different shapes, shapes are not looked up and all bytes are filtered.
 */
#pragma once

#include "input/input.h"
#include "scan/candidates.h"
#include "scan/line_shapes.h"

struct od_listed {
    size_t start, end, next;     /* offsets in the block: start and end of text, next line */
    struct od_line_shape *shape; /* NULL = no shape */
    bool met;                    /* `hits` contains the line's literals */
    bool broken; /* the line is too long for a shape, but its pieces between CRs have shapes */
};

/* Lines listed by their shapes. Zeroed is empty; the owner calls od_block_lines_done. */
struct od_block_lines {
    OD_VEC(struct od_listed) lines; /* empty = shapes were not looked up */
    struct od_hits hits; /* hits in lines with `met` set; in all bytes if no lines are listed */
};

struct od_line_lister {
    struct od_line_shapes *shapes; /* NULL = shapes are not used */
    struct od_finder *finder;
    size_t unseen;      /* number of following bytes for which shapes are not looked up */
    size_t unseen_next; /* next value of unseen if shapes still do not repeat */
    bool breaks_known;  /* most of the last line's pieces between CRs had a shape */
};

/* Lists the lines from the cursor to end (a line end). */
void od_line_lister_list(struct od_line_lister *lister, struct od_cursor from, size_t end,
                         struct od_block_lines *listing);

/* Filters the bytes up to end without listing lines. */
void od_line_lister_filter(struct od_line_lister *lister, struct od_cursor from, size_t end,
                           struct od_block_lines *listing);

void od_block_lines_done(struct od_block_lines *listing);

/* Offset of the end of the line that contains the byte n bytes after the cursor. */
size_t od_block_lines_end_of_piece(const struct od_cursor *cursor, size_t n);

/* Prefetches the plan of a line after line i, because plans are far apart in memory. */
void od_block_lines_fetch_plan(const struct od_block_lines *listing, size_t i);
