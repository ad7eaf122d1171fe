/*
 * A growing byte buffer. Zeroed is empty and valid. The owner calls od_buf_done.
 * od_buf_str is NUL-terminated until the next append.
 */
#pragma once

#include "base/view.h"

#include <stddef.h>

struct od_buf {
    char *p;
    size_t n;
    size_t room;
};

void od_buf_done(struct od_buf *buf);

/* Allocates space for n more bytes and returns its start. The caller writes there, then adds the
 * number of bytes written to buf->n. */
char *od_buf_reserve(struct od_buf *buf, size_t n);

void od_buf_add(struct od_buf *buf, struct od_view bytes);
void od_buf_add_str(struct od_buf *buf, const char *text);
void od_buf_add_char(struct od_buf *buf, char c);
void od_buf_add_repeat(struct od_buf *buf, const char *text, size_t times);
void od_buf_printf(struct od_buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const char *od_buf_str(struct od_buf *buf);

static inline struct od_view od_buf_view(const struct od_buf *buf)
{
    return (struct od_view){.p = buf->p, .n = buf->n};
}
