/*
 * Stores the output of a program in bounded memory: its beginning (settings, models, the first
 * steps) and its end (the failure). A line between them states how many bytes were omitted. Two
 * streams arrive in pieces; lines are stored as a whole, so that lines of different streams do not
 * mix.
 */
#pragma once

#include "base/base.h"

struct od_keep_limits {
    size_t head, tail; /* limits in bytes */
    size_t line;       /* longer lines are split */
};

struct od_keep;

/* limits may be NULL: 1 MiB, 16 MiB, 64 KiB. Never NULL. */
struct od_keep *od_keep_new(const struct od_keep_limits *limits);
void od_keep_free(struct od_keep *keep);

/* second: the bytes are from the second stream (standard error). */
void od_keep_add(struct od_keep *keep, bool second, struct od_view bytes);

/* Stores complete lines of our own between lines of the streams. */
void od_keep_add_lines(struct od_keep *keep, struct od_view lines);

/* Appends the stored text, which has whole lines. */
void od_keep_copy(const struct od_keep *keep, struct od_buf *to);

/* The text of the first stream after its last line end. */
struct od_view od_keep_unfinished(const struct od_keep *keep);

/* Was any text omitted? */
bool od_keep_is_partial(const struct od_keep *keep);

/* The stored text as whole lines, valid as long as keep. Nothing can be added after this call. */
struct od_view od_keep_text(struct od_keep *keep);
