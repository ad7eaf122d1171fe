/*
 * Joins lines wrapped by a console. A text copied from a console or printed through one has its
 * lines cut at the console's width, within words and numbers.
 *
 * A part is wrapped at W if no line in it is longer than W bytes, many have exactly W, the lines
 * after those do not start like other lines, and the cuts go through words. Ordinary lines of equal
 * length (tables, chunk lists, base64, fixed-width stamps) do not match, because the line after a
 * full one is like any other. In doubt no line is joined.
 */
#pragma once

#include "input/input.h"

enum { OD_WRAP_LEAST = 36, OD_WRAP_MOST = 512, OD_WRAP_KEYS = 48 };

/* The start of a line: its first bytes, with digits as 0. */
struct od_wrap_key {
    uint64_t text;
    unsigned count;
};

struct od_wrap_keys {
    struct od_wrap_key items[OD_WRAP_KEYS];
    size_t n;
};

/* Lines from start to end (offsets in the block). No line is longer than width; `full` lines are
 * exactly as long. */
struct od_wrap_stretch {
    size_t start, end;
    size_t width; /* bytes */
    size_t full;
};

/* Widths seen since a longer line, widest first. */
struct od_wrap_watch {
    struct od_wrap_stretch open[OD_WRAP_MOST + 1 - OD_WRAP_LEAST];
    size_t nopen;
    struct od_wrap_stretch found[32];
    size_t nfound;
    size_t known; /* a width at which lines of this source were wrapped; 0 = none */
};

/* State for one source. */
struct od_wrap {
    struct od_wrap_watch watch;
    struct od_wrap_keys heads; /* starts of lines in the wrapped part */
    size_t width;              /* width of a part that continues in the next block; 0 = none */
    bool first;                /* no block was processed yet */
    OD_VEC(uint32_t) spans;
    OD_VEC(uint64_t) offsets;
    OD_VEC(size_t) joins; /* offsets of line ends to remove */
};

/* Starts a source; keeps allocated memory. */
void od_wrap_start(struct od_wrap *wrap);
void od_wrap_done(struct od_wrap *wrap);

/* Ends the parts that are narrower than a line of n bytes at offset start. */
void od_wrap_watch_close(struct od_wrap_watch *watch, size_t start, size_t n);

/* Processes each line of the block in order, n without its line end. Cheap. */
static inline void od_wrap_watch_line(struct od_wrap_watch *watch, size_t start, size_t n)
{
    if (n < OD_WRAP_LEAST)
        return;
    if (watch->nopen > 0 && n == watch->open[watch->nopen - 1].width)
        watch->open[watch->nopen - 1].full++;
    else
        od_wrap_watch_close(watch, start, n);
}

/* Call this after all lines of the block: finds wrapped parts and stores the line ends to remove in
 * wrap->joins. Returns the number of bytes of the block that are complete: not all if its last line
 * continues in the next block (never if `last`). */
size_t od_wrap_plan(struct od_wrap *wrap, struct od_view block, bool last);

/* Removes the line ends in wrap->joins from the block in place. The block gets shorter; its spans
 * and offsets belong to wrap. Returns the number of physical lines joined to their previous one. */
uint64_t od_wrap_join(struct od_wrap *wrap, char *bytes, struct od_block *block);
