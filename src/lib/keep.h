/*
 * What a program writes, in bounded memory: its beginning (settings, models, the first steps) and
 * its end (what went wrong). What lies between is left out, and a line says how many bytes. Two
 * streams come in pieces; each line is kept whole, so that a line of one is not cut by a line of
 * the other.
 */
#pragma once

#include "base/base.h"

struct od_keep_limits {
    size_t head, tail; /* bytes */
    size_t line;       /* a longer one is cut in pieces */
};

struct od_keep;

/* limits may be NULL: 1 MiB, 16 MiB, 64 KiB. */
struct od_keep *od_keep_new(const struct od_keep_limits *limits);
void od_keep_free(struct od_keep *keep);

/* second: of the second stream (standard error). */
void od_keep_add(struct od_keep *keep, bool second, struct od_view bytes);

/* Whole lines of our own, which stand between lines of the streams. */
void od_keep_add_lines(struct od_keep *keep, struct od_view lines);

/* Appends what is kept so far, whole lines. */
void od_keep_copy(const struct od_keep *keep, struct od_buf *to);

/* All that was kept, whole lines; nothing is added any more. Lives with keep. */
struct od_view od_keep_text(struct od_keep *keep);
