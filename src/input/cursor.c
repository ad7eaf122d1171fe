#include "input/input.h"

struct od_cursor od_cursor_start(const struct od_block *block)
{
    return (struct od_cursor){.block = block, .line = block->line};
}

/* Offset after the LF of the line at the cursor. */
static size_t line_end(const struct od_cursor *cursor)
{
    struct od_view bytes = cursor->block->bytes;
    const char *lf = memchr(bytes.p + cursor->at, '\n', bytes.n - cursor->at);
    return lf ? (size_t)(lf - bytes.p) + 1 : bytes.n;
}

static void step(struct od_cursor *cursor, size_t end)
{
    const uint32_t *spans = cursor->block->spans;
    cursor->line += spans ? spans[cursor->index] : 1;
    cursor->index++;
    cursor->at = end;
}

void od_cursor_take(struct od_cursor *cursor, size_t end, struct od_raw_line *ret_line)
{
    const struct od_block *block = cursor->block;
    struct od_view text = {.p = block->bytes.p + cursor->at, .n = end - cursor->at};
    if (text.p[text.n - 1] == '\n') {
        text.n--;
        if (text.n > 0 && text.p[text.n - 1] == '\r')
            text.n--;
    }
    ret_line->bytes = text;
    ret_line->labels = block->labels;
    ret_line->at = (struct od_prov){
        .source = block->source,
        .nlines = block->spans ? block->spans[cursor->index] : 1,
        .line = cursor->line,
        .offset = block->offsets ? block->offsets[cursor->index] : block->offset + cursor->at,
    };
    step(cursor, end);
}

bool od_cursor_next(struct od_cursor *cursor, struct od_raw_line *ret_line)
{
    if (cursor->at >= cursor->block->bytes.n)
        return false;
    od_cursor_take(cursor, line_end(cursor), ret_line);
    return true;
}

void od_cursor_pass(struct od_cursor *cursor, size_t bytes, uint64_t lines)
{
    cursor->at += bytes;
    cursor->index += (size_t)lines;
    cursor->line += lines;
}

/* LANES bytes are compared at once. A lane counts up to the maximum of a byte, ROUNDS. */
enum { LANES = 16, ROUNDS = 255 };
typedef unsigned char lanes __attribute__((vector_size(LANES)));

/* Number of bytes that equal c in `rounds` groups of LANES bytes. */
static size_t count_in_lanes(const char *p, size_t rounds, unsigned char c)
{
    lanes counts = {0}, bytes;
    size_t sum = 0;
    for (size_t i = 0; i < rounds; i++) {
        memcpy(&bytes, p + i * LANES, LANES);
        counts -= (lanes)(bytes == c); /* the comparison gives -1 for equal bytes */
    }
    for (size_t i = 0; i < LANES; i++)
        sum += counts[i];
    return sum;
}

static size_t count_char(const char *p, size_t n, unsigned char c)
{
    size_t count = 0;
    while (n >= LANES) {
        size_t rounds = n / LANES < ROUNDS ? n / LANES : ROUNDS;
        count += count_in_lanes(p, rounds, c);
        p += rounds * LANES;
        n -= rounds * LANES;
    }
    for (; n > 0; n--)
        count += (unsigned char)*p++ == c;
    return count;
}

void od_cursor_skip_to(struct od_cursor *cursor, size_t byte)
{
    struct od_view bytes = cursor->block->bytes;
    if (byte >= bytes.n)
        byte = bytes.n;
    if (!cursor->block->spans) {
        const char *from = bytes.p + cursor->at;
        const char *lf = byte > cursor->at ? od_find_last(from, '\n', byte - cursor->at) : NULL;
        if (!lf)
            return;
        size_t n = count_char(from, (size_t)(lf - from) + 1, '\n');
        cursor->line += n;
        cursor->index += n;
        cursor->at = (size_t)(lf - bytes.p) + 1;
        return;
    }
    for (size_t end = line_end(cursor); end <= byte && end < bytes.n; end = line_end(cursor))
        step(cursor, end);
}
