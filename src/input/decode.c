#include "input/decode.h"

enum {
    GUESS_BYTES = 1024,
    HOLE_BYTES = 16,
    ODD_LEAST = 4 /* fewer in a text of a few words are damage */
};

/* Counts the NULs at even and at odd places. */
static enum od_encoding guess_by_nuls(struct od_view head)
{
    size_t n = (head.n < GUESS_BYTES ? head.n : GUESS_BYTES) / 2;
    size_t even = 0;
    size_t odd = 0;
    for (size_t i = 0; i < n; i++) {
        even += head.p[2 * i] == '\0';
        odd += head.p[2 * i + 1] == '\0';
    }
    if (n < 2)
        return OD_ENCODING_BYTES;
    if (odd * 10 >= n * 8 && even * 20 <= n)
        return OD_ENCODING_UTF16LE;
    if (even * 10 >= n * 8 && odd * 20 <= n)
        return OD_ENCODING_UTF16BE;
    return OD_ENCODING_BYTES;
}

enum od_encoding od_encoding_guess(struct od_view head, size_t *ret_mark)
{
    *ret_mark = 0;
    if (od_view_starts(head, OD_VIEW("\xff\xfe"))) {
        *ret_mark = 2;
        return OD_ENCODING_UTF16LE;
    }
    if (od_view_starts(head, OD_VIEW("\xfe\xff"))) {
        *ret_mark = 2;
        return OD_ENCODING_UTF16BE;
    }
    if (od_view_starts(head, OD_VIEW("\xef\xbb\xbf"))) {
        *ret_mark = 3;
        return OD_ENCODING_BYTES;
    }
    return guess_by_nuls(head);
}

static size_t nuls_at(struct od_view v, size_t at)
{
    size_t n = 0;
    while (at + n < v.n && v.p[at + n] == '\0')
        n++;
    return n;
}

/* Bytes that a log, however coloured, has no use for. */
static bool is_odd(unsigned char c)
{
    return c == 0x7f || (c < 0x20 && !(c >= '\a' && c <= '\r') && c != 0x1b);
}

bool od_bytes_are_binary(struct od_view sample)
{
    size_t odd = 0;
    size_t seen = 0;
    for (size_t i = 0; i < sample.n; i++) {
        unsigned char c = (unsigned char)sample.p[i];
        if (c >= ' ' && c != 0x7f) { /* nearly all of them */
            seen++;
            continue;
        }
        size_t hole = c == '\0' ? nuls_at(sample, i) : 0;
        if (hole >= HOLE_BYTES) {
            i += hole - 1;
            continue;
        }
        seen++;
        odd += is_odd(c);
    }
    if (seen == 0)
        return sample.n > 0;
    return odd >= ODD_LEAST && odd * 20 > seen;
}

static void put(uint32_t code, struct od_utf16 *state, struct od_buf *to, od_offsets *starts)
{
    if (code < 0x80)
        od_buf_add_char(to, (char)code);
    else
        od_text_encode(code, to);
    if (code == '\n')
        od_vec_push(starts, state->offset);
}

static void put_unit(struct od_utf16 *state, uint16_t unit, struct od_buf *to, od_offsets *starts)
{
    bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (state->high != 0) {
        uint32_t high = state->high;
        state->high = 0;
        if (low) {
            put(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00U), state, to, starts);
            return;
        }
        put(0xFFFD, state, to, starts);
    }
    if (unit >= 0xD800 && unit <= 0xDBFF)
        state->high = unit;
    else
        put(low ? 0xFFFD : unit, state, to, starts);
}

void od_utf16_decode(struct od_utf16 *state, struct od_view piece, struct od_buf *to,
                     od_offsets *starts)
{
    for (size_t i = 0; i < piece.n; i++) {
        unsigned char byte = (unsigned char)piece.p[i];
        state->offset++;
        if (!state->has_byte) {
            state->byte = byte;
            state->has_byte = true;
            continue;
        }
        state->has_byte = false;
        unsigned first = state->byte;
        unsigned unit = state->big_endian ? first << 8 | byte : (unsigned)byte << 8 | first;
        put_unit(state, (uint16_t)unit, to, starts);
    }
}

void od_utf16_end(struct od_utf16 *state, struct od_buf *to)
{
    if (state->high != 0 || state->has_byte)
        od_text_encode(0xFFFD, to);
    state->high = 0;
    state->has_byte = false;
}
