#include "lib/keep.h"

struct od_keep {
    struct od_keep_limits limits;
    struct od_buf head;
    struct od_buf tail;     /* a ring buffer when full */
    size_t next;            /* index of the oldest byte in the ring, which is overwritten next */
    uint64_t lost;          /* number of overwritten bytes */
    struct od_buf lines[2]; /* for each stream: its text after the last line end */
    bool done;
};

struct od_keep *od_keep_new(const struct od_keep_limits *limits)
{
    struct od_keep *keep = od_mem_alloc(1, sizeof *keep);
    keep->limits = limits ? *limits
                          : (struct od_keep_limits){
                                .head = (size_t)1 << 20, .tail = (size_t)16 << 20, .line = 65536};
    return keep;
}

void od_keep_free(struct od_keep *keep)
{
    if (!keep)
        return;
    od_buf_done(&keep->head);
    od_buf_done(&keep->tail);
    od_buf_done(&keep->lines[0]);
    od_buf_done(&keep->lines[1]);
    od_mem_free(keep);
}

/* Overwrites the oldest bytes of the full ring; bytes must not exceed its size. */
static void replace(struct od_keep *keep, struct od_view bytes)
{
    while (bytes.n > 0) {
        size_t room = keep->tail.n - keep->next;
        size_t n = bytes.n < room ? bytes.n : room;
        char *at = keep->tail.p + keep->next;
        keep->lost += n;
        memcpy(at, bytes.p, n);
        keep->next = (keep->next + n) % keep->tail.n;
        bytes = od_view_from(bytes, n);
    }
}

/* Stores whole lines: in the head until a line does not fit, then in the tail. */
static void keep_lines(struct od_keep *keep, struct od_view bytes)
{
    if (keep->tail.n == 0) {
        struct od_view first = od_view_head(bytes, keep->limits.head - keep->head.n);
        while (first.n > 0 && first.n < bytes.n && first.p[first.n - 1] != '\n')
            first.n--;
        od_buf_add(&keep->head, first);
        bytes = od_view_from(bytes, first.n);
    }
    size_t room = keep->limits.tail - keep->tail.n;
    struct od_view fits = od_view_head(bytes, room);
    od_buf_add(&keep->tail, fits);
    replace(keep, od_view_from(bytes, fits.n));
}

void od_keep_add_lines(struct od_keep *keep, struct od_view lines)
{
    if (lines.n > 0)
        keep_lines(keep, lines);
}

static size_t after_last_line(struct od_view bytes)
{
    size_t n = bytes.n;
    while (n > 0 && bytes.p[n - 1] != '\n')
        n--;
    return n;
}

void od_keep_add(struct od_keep *keep, bool second, struct od_view bytes)
{
    struct od_buf *line = &keep->lines[second];
    size_t whole = after_last_line(bytes);
    if (whole > 0) {
        struct od_view lines = od_view_head(bytes, whole);
        keep_lines(keep, od_buf_view(line));
        line->n = 0;
        keep_lines(keep, lines);
    }
    od_buf_add(line, od_view_from(bytes, whole));
    if (line->n >= keep->limits.line) {
        keep_lines(keep, od_buf_view(line));
        line->n = 0;
    }
}

static void end_line(struct od_keep *keep, struct od_buf *line)
{
    if (line->n == 0)
        return;
    od_buf_add_char(line, '\n');
    keep_lines(keep, od_buf_view(line));
    line->n = 0;
}

/* Number of bytes before the first whole line of the ring; 0 if no line end is near. */
static size_t rest_of_line(const struct od_keep *keep, struct od_view old, struct od_view new)
{
    struct od_view near = od_view_head(old, keep->limits.line);
    size_t at = od_view_find_char(near, '\n', 0);
    if (at != OD_VIEW_NONE)
        return at + 1;
    at = od_view_find_char(od_view_head(new, keep->limits.line - near.n), '\n', 0);
    return at != OD_VIEW_NONE ? near.n + at + 1 : 0;
}

static void add_tail(const struct od_keep *keep, struct od_buf *to)
{
    if (keep->tail.n == 0)
        return;
    struct od_view old = {.p = keep->tail.p + keep->next, .n = keep->tail.n - keep->next};
    struct od_view new = {.p = keep->tail.p, .n = keep->next};
    size_t rest = keep->lost > 0 ? rest_of_line(keep, old, new) : 0;
    if (keep->lost > 0)
        od_buf_printf(to, "oomdoctor run: %" PRIu64 " bytes of the output are left out here\n",
                      keep->lost + rest);
    od_buf_add(to, od_view_from(old, rest < old.n ? rest : old.n));
    od_buf_add(to, od_view_from(new, rest > old.n ? rest - old.n : 0));
}

void od_keep_copy(const struct od_keep *keep, struct od_buf *to)
{
    od_buf_add(to, od_buf_view(&keep->head));
    if (!keep->done)
        add_tail(keep, to);
}

bool od_keep_is_partial(const struct od_keep *keep)
{
    return keep->lost > 0;
}

struct od_view od_keep_unfinished(const struct od_keep *keep)
{
    return od_buf_view(&keep->lines[0]);
}

struct od_view od_keep_text(struct od_keep *keep)
{
    if (!keep->done) {
        end_line(keep, &keep->lines[0]);
        end_line(keep, &keep->lines[1]);
        if (keep->tail.n > 0)
            add_tail(keep, &keep->head);
        od_buf_done(&keep->tail);
    }
    keep->done = true;
    return od_buf_view(&keep->head);
}
