/*
 * Lists the lines of a part of a block with their shapes, and filters the lines whose shape is new.
 * This does not depend on earlier lines.
 *
 * If most lines have a shape of their own, shapes are not looked up for a while, and the bytes are
 * filtered as they are.
 */
#pragma once

#include "input/input.h"
#include "scan/candidates.h"
#include "scan/line_shapes.h"

struct od_listed {
    size_t start, end, next; /* offsets in the block: of the text, of its end, of the next line */
    struct od_line_shape *shape; /* NULL = no shape */
    bool met;                    /* its literals are in hits */
    bool broken; /* too long for a shape, but the pieces between its CRs have shapes */
};

/* Zeroed is empty; the owner calls od_block_lines_done. */
struct od_block_lines {
    OD_VEC(struct od_listed) lines; /* empty: shapes were not looked up */
    struct od_hits hits;            /* of lines with met set; of all bytes if no lines are listed */
};

struct od_lister {
    struct od_line_shapes *shapes; /* NULL = shapes are not used */
    struct od_finder *finder;
    size_t unseen;      /* bytes ahead for which shapes are not looked up */
    size_t unseen_next; /* the next value of unseen if shapes still do not repeat */
    bool breaks_known;  /* most pieces between the CRs of the last line had a shape */
};

/* Fills the listing with the lines from the cursor up to end (a line end). */
void od_lister_list(struct od_lister *lister, struct od_cursor from, size_t end,
                    struct od_block_lines *listing);

/* Filters the bytes up to end without listing lines. */
void od_lister_filter(struct od_lister *lister, struct od_cursor from, size_t end,
                      struct od_block_lines *listing);

void od_block_lines_done(struct od_block_lines *listing);

/* The end of the line with the byte n bytes after the cursor. */
size_t od_block_lines_end_of_piece(const struct od_cursor *cursor, size_t n);

/* Prefetches the plan of a line some lines after line i: plans are far apart in memory. */
void od_block_lines_fetch_plan(const struct od_block_lines *listing, size_t i);
