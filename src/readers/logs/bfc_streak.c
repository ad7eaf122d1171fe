#include "readers/logs/bfc_streak.h"

enum { LANES = 16 }; /* bytes compared at once */

/* Length of a date, a time and its fraction at the start of text. */
static size_t stamp_length(struct od_view text)
{
    /* "2024-07-18 08:38:38", also with a T; glog: "W1105 11:10:23" */
    static const char *const shapes[] = {"0000-00-00 00:00:00", "0000-00-00T00:00:00",
                                         "A0000 00:00:00"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t n = 0;
        for (; n < text.n && shapes[i][n]; n++) {
            char want = shapes[i][n], c = text.p[n];
            if (want == '0' ? !od_is_digit(c) : want == 'A' ? !memchr("IWEF", c, 4) : c != want)
                break;
        }
        if (shapes[i][n])
            continue;
        if (n < text.n && text.p[n] == '.')
            n++;
        while (n < text.n && od_is_digit(text.p[n]))
            n++;
        return n;
    }
    return 0;
}

static void allow_figures(struct od_bfc_front *front, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++) {
        if (!od_is_digit((char)front->text[i]))
            continue;
        front->same[i] = 0xf0;
        front->figure[i] = 0x0f;
    }
}

bool od_bfc_front_init(struct od_bfc_front *front, struct od_view sample)
{
    size_t n = od_bfc_line_front(sample);
    if (n == 0 || n > OD_BFC_FRONT)
        return false;
    front->n = n;
    front->padded = (n + LANES - 1) / LANES * LANES;
    memcpy(front->text, sample.p, n);
    memset(front->text + n, 0, front->padded - n);
    memset(front->same, 0xff, n);
    memset(front->same + n, 0, front->padded - n);
    memset(front->figure, 0, front->padded);
    for (size_t at = 0; at < n;) {
        size_t stamp = stamp_length(od_view_from(od_view_head(sample, n), at));
        allow_figures(front, at, stamp);
        at += stamp > 0 ? stamp : 1;
    }
    return true;
}

static bool has_front(const struct od_bfc_front *front, const unsigned char *p)
{
    unsigned char wrong[LANES] = {0};
    for (size_t at = 0; at < front->padded; at += LANES) {
        for (size_t i = 0; i < LANES; i++) {
            unsigned differs = (p[at + i] ^ front->text[at + i]) & front->same[at + i];
            unsigned above_9 = ((p[at + i] & front->figure[at + i]) + 6U) & 0x10U;
            wrong[i] |= (unsigned char)(differs | above_9);
        }
    }
    uint64_t halves[2];
    memcpy(halves, wrong, sizeof halves);
    return (halves[0] | halves[1]) == 0;
}

/* ---- chunk lines in their most frequent form ---- */

/* Longest body that is read without checking for its end: "InUse at ", 16 digits, " of size ", 19,
 * " next ", 19, and what ends it. */
enum { CHUNK_MOST = 9 + 17 + 9 + 20 + 6 + 20 };

static const char *take_word(const char *p, const char *word, size_t n)
{
    return p && memcmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *take_hex(const char *p, uint64_t *ret_value)
{
    enum { FIGURES = 16 };
    uint64_t value = 0;
    const char *from = p;
    for (; p && p - from <= FIGURES; p++) {
        unsigned digit = (unsigned char)*p - (unsigned)'0';
        unsigned letter = (unsigned char)*p - (unsigned)'a';
        if (digit > 9 && letter > 5)
            break;
        value = value << 4 | (digit <= 9 ? digit : letter + 10);
    }
    *ret_value = value;
    return p && p > from && p - from <= FIGURES ? p : NULL;
}

static const char *take_number(const char *p, uint64_t *ret_value)
{
    enum { FIGURES = 19 };
    uint64_t value = 0;
    const char *from = p;
    for (; p && od_is_digit(*p) && p - from <= FIGURES; p++)
        value = value * 10 + (unsigned)(*p - '0');
    *ret_value = value;
    return p && p > from && p - from <= FIGURES ? p : NULL;
}

/* Reads "InUse at 7f5a00000000 of size 256 next 17" with its line end and returns the position
 * after it; NULL if the body is anything else. At least CHUNK_MOST bytes must be readable. */
static const char *take_chunk(const char *p, struct od_bfc_record *record)
{
    uint64_t next;
    struct od_bfc_chunk *c = &record->as.chunk;
    bool in_use = memcmp(p, "InUse at ", 9) == 0;
    c->chunk = (struct od_chunk){.in_use = in_use};
    c->has_details = false;
    p = in_use ? p + 9 : take_word(p, "Free  at ", 9);
    p = take_hex(p, &c->chunk.address);
    p = take_word(p, " of size ", 9);
    p = take_number(p, &c->chunk.bytes);
    p = take_word(p, " next ", 6);
    p = take_number(p, &next);
    if (!p || *p != '\n' || next >= OD_HANDLE_UNKNOWN)
        return NULL;
    c->chunk.next = (uint32_t)next;
    record->kind = OD_BFC_CHUNK;
    record->signed_line = record->bare_end = true;
    return p + 1;
}

size_t od_bfc_front_next(const struct od_bfc_front *front, struct od_view rest,
                         struct od_bfc_record *ret_record)
{
    if (rest.n < front->padded || !has_front(front, (const unsigned char *)rest.p))
        return 0;
    struct od_view body = od_view_from(rest, front->n);
    const char *end = body.n >= CHUNK_MOST ? take_chunk(body.p, ret_record) : NULL;
    if (end)
        return (size_t)(end - rest.p);
    const char *lf = body.n > 0 ? memchr(body.p, '\n', body.n) : NULL;
    if (!lf)
        return 0;
    body.n = (size_t)(lf - body.p);
    if (body.n > 0 && body.p[body.n - 1] == '\r')
        body.n--;
    if (!od_bfc_line_read_body(body, ret_record) || !ret_record->bare_end)
        return 0;
    return (size_t)(lf + 1 - rest.p);
}
