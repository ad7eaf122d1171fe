/*
 * A line without its wrapping (docker JSON, syslog, rank prefixes, ANSI colours, quotes, ...).
 * One physical line may give several (an escaped "\n" inside JSON, a lone CR); several may give
 * one (console hard wraps). text and stamp are valid until the next line is asked for.
 */
#pragma once

#include "facts/place.h"
#include "facts/prov.h"

/* Zeroed is empty. */
struct od_shape_memory {
    struct od_arena *arena; /* of what is kept, which lives as long as the shape is known */
    struct od_kept *first;
    uint64_t log; /* its number: what was kept of another one holds only where it is of the shape */
    struct od_shape_memory *other; /* for another thread, which takes events of such lines later */
};

struct od_line {
    struct od_view text;
    struct od_view stamp; /* the time a wrapper printed, as printed; may be empty */
    struct od_prov at;
    uint32_t lane;                /* who printed it: one number per source, host, process, rank */
    const struct od_place *place; /* of that lane; lives as long as the input */
    bool heading;                 /* the first line of a thread: what it is called */
    bool overprinted; /* a lone CR ends it: what follows took its place on the terminal, as a
                         progress bar's next state does; it stands between no two lines */
    /* What readers keep of lines of its shape, those that differ in digits alone; NULL where
     * nothing is kept. Whoever is to be silent about some shapes (readers/reader.h) was asked about
     * it, and is not. */
    struct od_shape_memory *memory;
};

/* Where owner, some constant of its own, keeps what it knows of all lines of the line's shape: NULL
 * at first. NULL when nothing may be kept. */
void **od_line_kept(const struct od_line *line, const void *owner);

enum { OD_LINE_KEPT = 400, OD_STAMP_KEPT = 64 };

/* A line that is wanted when others have come: its text without the blanks about it, as much of it
 * as there is room for, and its stamp, where that fits. It must not be moved. */
struct od_kept_line {
    struct od_line line;
    char room[OD_LINE_KEPT + OD_STAMP_KEPT];
};

void od_line_keep(struct od_kept_line *to, const struct od_line *line);
