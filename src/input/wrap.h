/*
 * Console hard wraps. A text copied from a console, or printed through one, has its lines cut
 * at the console's width, inside words and numbers. Here such stretches are found and their
 * lines are joined again.
 *
 * A stretch is wrapped at W when no line in it is longer than W bytes, many are exactly W, what
 * follows them does not begin as lines of this stretch begin, and the cuts go through words.
 * Ordinary lines of one length (tables, chunk lists, base64, fixed-width stamps) fail that: what
 * follows a full line there is a line like any other. When in doubt nothing is joined.
 */
#pragma once

#include "input/input.h"

enum { OD_WRAP_LEAST = 36, OD_WRAP_MOST = 512, OD_WRAP_KEYS = 48 };

/* How a line begins: its first bytes, digits as 0. */
struct od_wrap_key {
    uint64_t text;
    unsigned count;
};

struct od_wrap_keys {
    struct od_wrap_key items[OD_WRAP_KEYS];
    size_t n;
};

/* Lines from start to end (bytes of the block), none longer than width, full of them as long. */
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
    size_t known; /* a width that was proved in this source; 0 = none */
};

/* Of one source. */
struct od_wrap {
    struct od_wrap_watch watch;
    struct od_wrap_keys heads; /* how lines of the wrapped stretch begin */
    size_t width;              /* of a stretch that goes on in the next block; 0 = none */
    bool first;                /* no block was planned yet */
    OD_VEC(uint32_t) spans;
    OD_VEC(uint64_t) offsets;
    OD_VEC(size_t) joins; /* bytes at which line ends go away */
};

/* Begins with a source; memory is kept. */
void od_wrap_start(struct od_wrap *wrap);
void od_wrap_done(struct od_wrap *wrap);

/* Closes the stretches that a line of n bytes ends; [start ..] is where it lies. */
void od_wrap_watch_close(struct od_wrap_watch *watch, size_t start, size_t n);

/* Each line of the block, in order, n without its line end. Cheap. */
static inline void od_wrap_watch_line(struct od_wrap_watch *watch, size_t start, size_t n)
{
    if (n < OD_WRAP_LEAST)
        return;
    if (watch->nopen > 0 && n == watch->open[watch->nopen - 1].width)
        watch->open[watch->nopen - 1].full++;
    else
        od_wrap_watch_close(watch, start, n);
}

/*
 * After the lines of block were watched: finds the stretches that are wrapped and notes in
 * wrap->joins the line ends to be removed. Returns how much of the block may be given out: less
 * than all of it when its last line goes on behind it (never with last, nothing behind it).
 */
size_t od_wrap_plan(struct od_wrap *wrap, struct od_view block, bool last);

/*
 * Removes the line ends that wrap->joins names, in the block's own bytes, which get fewer; its
 * spans and offsets are wrap's. Returns how many physical lines were joined to the one before.
 */
uint64_t od_wrap_join(struct od_wrap *wrap, char *bytes, struct od_block *block);
