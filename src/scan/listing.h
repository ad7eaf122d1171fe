/*
 * Lists the lines of a part of a block, with their shapes, before anybody looks at them, and
 * filters those that are new. That needs no line before, so another thread can do it
 * (scan/ahead.h).
 *
 * Where most lines have a shape of their own, shapes are not asked for a while: the bytes are
 * filtered as they are.
 */
#pragma once

#include "input/input.h"
#include "scan/candidates.h"
#include "scan/line_shapes.h"

struct od_listed {
    size_t start, end, next;     /* in the block; end is that of its text, next of its line end */
    struct od_line_shape *shape; /* NULL: it has none */
    bool met;                    /* its literals are among the hits */
    bool broken; /* it is too long for a shape, but what stands between its CRs has one */
};

/* Zeroed is empty; the owner calls od_listing_done. */
struct od_listing {
    OD_VEC(struct od_listed) lines; /* none: nothing was asked for its shape */
    struct od_hits hits;            /* of lines that are met; of all bytes where none are listed */
};

struct od_lister {
    struct od_line_shapes *shapes; /* NULL: they are not asked */
    struct od_finder *finder;
    size_t unseen;      /* bytes to come whose lines are not asked for their shapes */
    size_t unseen_next; /* the same when shapes do not come again */
    bool breaks_known;  /* most of what stood between the CRs of the last line had a shape */
};

/* Fills the listing with the lines from the cursor up to end, where one ends; false when there are
 * more than most. */
bool od_lister_list(struct od_lister *lister, struct od_cursor from, size_t end, size_t most,
                    struct od_listing *listing);

/* Filters the bytes up to end, and lists no lines. */
void od_lister_filter(struct od_lister *lister, struct od_cursor from, size_t end,
                      struct od_listing *listing);

void od_listing_done(struct od_listing *listing);

/* The end of the line that holds the byte that many bytes after the cursor. */
size_t od_listing_end_of_piece(const struct od_cursor *cursor, size_t n);

/* Fetches into the cache the plan of a line some lines after that one: plans are far apart. */
void od_listing_fetch_plan(const struct od_listing *listing, size_t i);
