/*
 * Unmodified lines of a log around interesting places, so that a report can show them in context.
 * Bounded: a few lines around each of the first OD_AROUND_FIRST and the last OD_AROUND_LAST places,
 * cut if they are long. Only lines in the same input block are available, so some may be missing.
 * The beginning of the first text is stored too, because it contains settings and people's
 * sentences.
 */
#pragma once

#include "facts/prov.h"

enum {
    OD_AROUND_FIRST = 48,
    OD_AROUND_LAST = 16,
    OD_AROUND_LINES = 2,  /* lines before and after the place */
    OD_AROUND_TEXT = 300, /* bytes of a line, cut as an excerpt */
    OD_AROUND_HEAD = 16384
};

struct od_around;

struct od_around *od_around_new(void);
void od_around_free(struct od_around *around);

/* Stores the line, which is a view into bytes (whole lines), and its neighbors. around may be
 * NULL. */
void od_around_keep(struct od_around *around, struct od_prov at, struct od_view line,
                    struct od_view bytes);

/* Stores the first lines of the first text, up to OD_AROUND_HEAD bytes; later texts are ignored.
 * around may be NULL. */
void od_around_keep_head(struct od_around *around, uint32_t source, struct od_view bytes);

/* The stored line at that place; empty if it was not stored or around is NULL. Lives as long as the
 * object. */
struct od_view od_around_find(const struct od_around *around, struct od_prov at);

/* The line at that place, or the stored beginning of the line. */
struct od_view od_around_line(const struct od_around *around, struct od_prov at);

/* Goes through all stored lines of a source. */
struct od_around_walk {
    const struct od_around *around;
    struct od_prov at;
    struct od_view head; /* of the stored beginning, not yet read */
};

/* around may be NULL. */
struct od_around_walk od_around_walk(const struct od_around *around, uint32_t source);

/* Advances to the next line. False if there is none. */
bool od_around_next(struct od_around_walk *walk, struct od_view *ret_line);
