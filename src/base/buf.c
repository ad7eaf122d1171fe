#include "base/base.h"

#include <stdio.h>

void od_buf_done(struct od_buf *buf)
{
    od_mem_free(buf->p);
    *buf = (struct od_buf){0};
}

char *od_buf_reserve(struct od_buf *buf, size_t n)
{
    size_t need;
    if (ckd_add(&need, buf->n, n))
        od_mem_die();
    if (need > buf->room || !buf->p) {
        size_t room = buf->room < 64 ? 64 : buf->room;
        while (room < need) {
            if (ckd_mul(&room, room, 2U))
                od_mem_die();
        }
        buf->p = od_mem_resize(buf->p, room, 1);
        buf->room = room;
    }
    return buf->p + buf->n;
}

void od_buf_add(struct od_buf *buf, struct od_view bytes)
{
    if (bytes.n == 0)
        return;
    memcpy(od_buf_reserve(buf, bytes.n), bytes.p, bytes.n);
    buf->n += bytes.n;
}

void od_buf_add_str(struct od_buf *buf, const char *text)
{
    od_buf_add(buf, od_view_of(text));
}

void od_buf_add_char(struct od_buf *buf, char c)
{
    *od_buf_reserve(buf, 1) = c;
    buf->n++;
}

void od_buf_add_repeat(struct od_buf *buf, const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++)
        od_buf_add_str(buf, text);
}

void od_buf_printf(struct od_buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n > 0) {
        char *to = od_buf_reserve(buf, (size_t)n + 1);
        (void)vsnprintf(to, (size_t)n + 1, format, again);
        buf->n += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

const char *od_buf_str(struct od_buf *buf)
{
    *od_buf_reserve(buf, 1) = '\0';
    return buf->p;
}
