#include "input/decode.h"

enum {
    PAIRS = 16,      /* pairs of bytes examined where UTF-16 may begin */
    PAIRS_LEAST = 4, /* pairs required, except at the beginning and the end of a file */
    RUN = 24,        /* bytes of ordinary text that end a part in UTF-16 */
    RUN_LEAST = 6,   /* the same if they are a whole line */
    AHEAD = 2 * PAIRS + 2,
    PLAIN_MOST = 4096, /* maximum number of bytes copied at once */
    HOLE_BYTES = 16,
    ODD_LEAST = 4 /* fewer odd bytes in a short text are damage, not a binary file */
};

static size_t nuls_at(struct od_view v, size_t at)
{
    size_t n = 0;
    while (at + n < v.n && v.p[at + n] == '\0')
        n++;
    return n;
}

/* Is the byte a control character that logs, even colored ones, do not contain? */
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
        if (c >= ' ' && c != 0x7f) { /* true for nearly all bytes */
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

/* ---- the start of another encoding ---- */

/* Is c no control character except tabs, line ends and the start of colors? */
static bool is_text_byte(unsigned char c)
{
    return c >= ' ' ? c != 0x7f : c == '\t' || c == '\n' || c == '\r' || c == 0x1b;
}

/* Are nearly all pairs a text byte and a NUL? at_nul is the position of the NUL in a pair. */
static bool is_utf16(struct od_view bytes, size_t at_nul, size_t least)
{
    size_t pairs = bytes.n / 2 < PAIRS ? bytes.n / 2 : PAIRS, right = 0;
    for (size_t i = 0; i < pairs; i++) {
        unsigned char nul = (unsigned char)bytes.p[2 * i + at_nul];
        unsigned char text = (unsigned char)bytes.p[2 * i + 1 - at_nul];
        if (text == '\0' || (i < least && (nul != '\0' || !is_text_byte(text))))
            return false;
        right += nul == '\0';
    }
    return pairs >= least && right * 10 >= pairs * 8;
}

/* The encoding that begins here, after bytes that were copied unchanged. *ret_mark is the length of
 * its byte order mark. */
static enum od_encoding begins_here(struct od_view bytes, bool at_start, bool end, size_t *ret_mark)
{
    struct od_view rest = od_view_from(bytes, 2);
    size_t least = at_start || end ? PAIRS_LEAST / 2 : PAIRS_LEAST;
    *ret_mark = 2;
    if (od_view_starts(bytes, OD_VIEW("\xff\xfe")) && (at_start || is_utf16(rest, 1, 1)))
        return OD_ENCODING_UTF16LE;
    if (od_view_starts(bytes, OD_VIEW("\xfe\xff")) && (at_start || is_utf16(rest, 0, 1)))
        return OD_ENCODING_UTF16BE;
    *ret_mark = 0;
    if (is_utf16(bytes, 1, least))
        return OD_ENCODING_UTF16LE;
    return is_utf16(bytes, 0, least) ? OD_ENCODING_UTF16BE : OD_ENCODING_BYTES;
}

/* Length of the UTF-8 text at the start, up to RUN. *ret_line: they reach the end of a line. */
static size_t text_run(struct od_view bytes, bool *ret_line)
{
    size_t n = 0;
    *ret_line = false;
    while (n < bytes.n && n < RUN && !*ret_line) {
        uint32_t code;
        unsigned char c = (unsigned char)bytes.p[n];
        size_t length = od_text_decode(od_view_from(bytes, n), &code);
        if (!is_text_byte(c) || (c >= 0x80 && length < 2))
            break;
        n += length;
        *ret_line = c == '\n';
    }
    return n;
}

/* Does UTF-16 end here? Text in single bytes follows: many bytes without NUL, or a whole line. */
static bool ends_here(const struct od_decoder *decoder, struct od_view bytes, bool end)
{
    bool line;
    size_t n = text_run(bytes, &line);
    bool all = line || (end && n == bytes.n);
    return n >= RUN || (n >= RUN_LEAST && all && !decoder->in_line);
}

bool od_decoder_wanted(struct od_view bytes, bool at_start)
{
    unsigned char first = bytes.n > 0 ? (unsigned char)bytes.p[0] : 0;
    return (at_start && first >= 0xfe) || od_view_find_char(bytes, '\0', 0) != OD_VIEW_NONE;
}

struct decoding {
    struct od_decoder *decoder;
    struct od_view rest;
    bool end;
    struct od_buf *to;
    od_offsets *starts;
};

static void put(struct decoding *d, uint32_t code)
{
    if (code < 0x80)
        od_buf_add_char(d->to, (char)code);
    else
        od_text_encode(code, d->to);
}

static void take(struct decoding *d, size_t n)
{
    d->rest = od_view_from(d->rest, n);
    d->decoder->offset += n;
    d->decoder->begun = true;
}

static void note_line_end(struct decoding *d, bool lf)
{
    if (lf)
        od_vec_push(d->starts, d->decoder->offset);
    d->decoder->in_line = !lf;
}

static void end_pair(struct decoding *d)
{
    if (d->decoder->high != 0)
        put(d, 0xFFFD);
    d->decoder->high = 0;
}

static void put_unit(struct decoding *d, uint16_t unit)
{
    uint32_t high = d->decoder->high;
    bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (high != 0 && low) {
        d->decoder->high = 0;
        put(d, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00U));
        return;
    }
    end_pair(d);
    if (unit >= 0xD800 && unit <= 0xDBFF)
        d->decoder->high = unit;
    else
        put(d, low ? 0xFFFD : unit);
}

/* Can UTF-16 begin at that byte? False if the bytes after it are not available yet. */
static bool is_suspect(struct od_view bytes)
{
    return bytes.p[0] == '\0' || (unsigned char)bytes.p[0] >= 0xfe ||
           (bytes.n > 1 && bytes.p[1] == '\0');
}

/* Number of bytes before the first that may begin UTF-16. */
static size_t plain_length(struct od_view bytes, bool end)
{
    struct od_view head = od_view_head(bytes, PLAIN_MOST);
    size_t hole = nuls_at(head, 0), nul = od_view_find_char(head, '\0', 0);
    if (hole > 0) /* UTF-16 can begin at the last NUL of a run */
        return hole - 1;
    head = od_view_head(head, od_view_find_char(head, '\xfe', 0));
    head = od_view_head(head, od_view_find_char(head, '\xff', 0));
    size_t before_nul = nul == OD_VIEW_NONE ? bytes.n - !end : nul > 0 ? nul - 1 : 0;
    return head.n < before_nul ? head.n : before_nul;
}

/* Copies bytes that cannot be UTF-16 in one step. False if there are none. */
static bool take_plain(struct decoding *d)
{
    size_t n = plain_length(d->rest, d->end), at = 0;
    struct od_view plain = od_view_head(d->rest, n);
    if (n == 0)
        return false;
    for (size_t lf; (lf = od_view_find_char(plain, '\n', at)) != OD_VIEW_NONE; at = lf + 1)
        od_vec_push(d->starts, d->decoder->offset + lf + 1);
    od_buf_add(d->to, plain);
    d->decoder->met |= 1U << OD_ENCODING_BYTES;
    d->decoder->in_line = at < n;
    take(d, n);
    return true;
}

static void take_byte(struct decoding *d)
{
    struct od_decoder *decoder = d->decoder;
    size_t mark;
    if (is_suspect(d->rest) && !(decoder->in_line && d->rest.p[0] == '\n')) {
        enum od_encoding next = begins_here(d->rest, !decoder->begun, d->end, &mark);
        if (next != OD_ENCODING_BYTES) {
            decoder->encoding = next;
            take(d, mark);
            if (mark > 0 && !decoder->in_line && d->starts->n > 0)
                d->starts->items[d->starts->n - 1] = decoder->offset;
            return;
        }
    }
    char c = d->rest.p[0];
    decoder->met |= 1U << OD_ENCODING_BYTES;
    od_buf_add_char(d->to, c);
    take(d, 1);
    note_line_end(d, c == '\n');
}

static void take_unit(struct decoding *d)
{
    struct od_decoder *decoder = d->decoder;
    if (ends_here(decoder, d->rest, d->end)) {
        end_pair(d);
        decoder->encoding = OD_ENCODING_BYTES;
        return;
    }
    bool big = decoder->encoding == OD_ENCODING_UTF16BE;
    uint16_t unit = 0xFFFD; /* U+FFFD, the replacement for half a unit */
    if (d->rest.n > 1) {
        unsigned first = (unsigned char)d->rest.p[0], second = (unsigned char)d->rest.p[1];
        unit = (uint16_t)(big ? first << 8 | second : second << 8 | first);
    }
    decoder->met |= 1U << decoder->encoding;
    take(d, d->rest.n > 1 ? 2 : 1);
    if (unit == 0xFFFE) /* the byte order mark of the other byte order */
        decoder->encoding = big ? OD_ENCODING_UTF16LE : OD_ENCODING_UTF16BE;
    if (unit == 0xFFFE || unit == 0xFEFF)
        return;
    put_unit(d, unit);
    note_line_end(d, unit == '\n');
}

void od_decode(struct od_decoder *decoder, struct od_view piece, bool end, struct od_buf *to,
               od_offsets *starts)
{
    od_buf_add(&decoder->pending, piece);
    struct decoding d = {.decoder = decoder,
                         .rest = od_buf_view(&decoder->pending),
                         .end = end,
                         .to = to,
                         .starts = starts};
    while (d.rest.n > 0 && (end || d.rest.n >= AHEAD)) {
        if (decoder->encoding != OD_ENCODING_BYTES)
            take_unit(&d);
        else if (!take_plain(&d))
            take_byte(&d);
    }
    if (end)
        end_pair(&d);
    size_t left = d.rest.n;
    if (left > 0)
        memmove(decoder->pending.p, d.rest.p, left);
    decoder->pending.n = left;
}

void od_decoder_done(struct od_decoder *decoder)
{
    od_buf_done(&decoder->pending);
}
