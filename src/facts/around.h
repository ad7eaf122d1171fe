/*
 * Lines of a log as they stand, kept from around places where something was said, so that a report
 * can show them in their surroundings. Bounded: the windows around the first OD_AROUND_FIRST
 * places and around the last OD_AROUND_LAST are kept, a few lines each, cut where they are long.
 * Only what the block of input beside the place holds is kept: a window may lack a line. The
 * beginning of the first text is kept, too: settings and a person's words are found there.
 */
#pragma once

#include "facts/prov.h"

enum {
    OD_AROUND_FIRST = 48,
    OD_AROUND_LAST = 16,
    OD_AROUND_LINES = 2,  /* before and behind */
    OD_AROUND_TEXT = 300, /* bytes of a line */
    OD_AROUND_HEAD = 16384
};

struct od_around;

struct od_around *od_around_new(void);
void od_around_free(struct od_around *around);

/* Keeps the line, which is a view into bytes (whole lines), and those beside it; a NULL
 * around keeps nothing. */
void od_around_keep(struct od_around *around, struct od_prov at, struct od_view line,
                    struct od_view bytes);

/* Keeps the first lines of a text, up to OD_AROUND_HEAD bytes; of the first text alone. A NULL
 * around keeps nothing. */
void od_around_keep_head(struct od_around *around, uint32_t source, struct od_view bytes);

/* A line; empty when it was not kept, and of a NULL around. Lives as long as the object. */
struct od_view od_around_find(const struct od_around *around, struct od_prov at);

/* The first lines that were kept of that source; empty of another one, and of a NULL around. */
struct od_view od_around_head(const struct od_around *around, uint32_t source);

/* The kept line after that one, besides the head: at becomes its place. False when there is none.
 */
bool od_around_next(const struct od_around *around, struct od_prov *at, struct od_view *ret_line);
