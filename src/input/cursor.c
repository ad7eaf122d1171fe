#include "input/input.h"

#include <string.h>

struct od_cursor od_cursor_start(const struct od_block *block)
{
    return (struct od_cursor){.block = block, .line = block->line};
}

/* The end of the line at the cursor, behind its LF. */
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

bool od_cursor_next(struct od_cursor *cursor, struct od_raw_line *ret_line)
{
    const struct od_block *block = cursor->block;
    if (cursor->at >= block->bytes.n)
        return false;
    size_t end = line_end(cursor);
    struct od_view text = {.p = block->bytes.p + cursor->at, .n = end - cursor->at};
    if (text.p[text.n - 1] == '\n') {
        text.n--;
        if (text.n > 0 && text.p[text.n - 1] == '\r')
            text.n--;
    }
    ret_line->bytes = text;
    ret_line->labels = block->labels;
    ret_line->said = block->said ? &block->said[cursor->index] : NULL;
    ret_line->at = (struct od_prov){
        .source = block->source,
        .nlines = block->spans ? block->spans[cursor->index] : 1,
        .line = cursor->line,
        .offset = block->offsets ? block->offsets[cursor->index] : block->offset + cursor->at,
    };
    step(cursor, end);
    return true;
}

void od_cursor_pass(struct od_cursor *cursor, size_t bytes, uint64_t lines)
{
    cursor->at += bytes;
    cursor->index += (size_t)lines;
    cursor->line += lines;
}

/* Eight bytes at a time: how many are c? */
static size_t count_char(const char *p, size_t n, unsigned char c)
{
    const uint64_t ones = 0x0101010101010101U;
    const uint64_t low7 = 0x7f7f7f7f7f7f7f7fU;
    size_t count = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, 8);
        word ^= ones * c;
        /* 1 in each byte that is now 0; their sum comes out on top. */
        word = ~(((word & low7) + low7) | word | low7) >> 7;
        count += (size_t)(word * ones >> 56);
    }
    for (; i < n; i++)
        count += (unsigned char)p[i] == c;
    return count;
}

void od_cursor_skip_to(struct od_cursor *cursor, size_t byte)
{
    struct od_view bytes = cursor->block->bytes;
    if (byte >= bytes.n)
        byte = bytes.n;
    if (!cursor->block->spans) {
        const char *from = bytes.p + cursor->at;
        const char *lf = byte > cursor->at ? memrchr(from, '\n', byte - cursor->at) : NULL;
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
