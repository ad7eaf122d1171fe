#include "base/mask_digits.h"

enum { LANES = 16, WORD = 8 };
typedef unsigned char lanes __attribute__((vector_size(LANES)));
typedef signed char signed_lanes __attribute__((vector_size(LANES))); /* for signed comparison */

/* Masked bytes do not change when they are masked again, so the last block may overlap others. */
static void mask_lanes(char *to, const char *from)
{
    lanes bytes;
    memcpy(&bytes, from, LANES);
    signed_lanes away =
        (signed_lanes)(bytes - '0' - 128); /* signed digits become the ten smallest values */
    lanes digit = (lanes)(away < 10 - 128);
    bytes = (bytes & ~digit) | (digit & '0');
    memcpy(to, &bytes, LANES);
}

static void mask_word(char *to, const char *from)
{
    uint64_t word;
    memcpy(&word, from, WORD);
    word = od_fold_digits(word);
    memcpy(to, &word, WORD);
}

void od_mask_digits(char *to, const char *from, size_t n)
{
    if (n >= LANES) {
        for (size_t at = 0; at < n - LANES; at += LANES)
            mask_lanes(to + at, from + at);
        mask_lanes(to + n - LANES, from + n - LANES);
    } else if (n >= WORD) {
        for (size_t at = 0; at < n - WORD; at += WORD)
            mask_word(to + at, from + at);
        mask_word(to + n - WORD, from + n - WORD);
    } else {
        for (size_t at = 0; at < n; at++)
            to[at] = od_is_digit(from[at]) ? '0' : from[at];
    }
}

bool od_same_but_digits(struct od_view a, struct od_view b)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < a.n && od_is_digit(a.p[i]))
            i++;
        while (k < b.n && od_is_digit(b.p[k]))
            k++;
        if (i == a.n || k == b.n || a.p[i] != b.p[k])
            return i == a.n && k == b.n;
        i++, k++;
    }
}

/* One bit for each of sixteen bytes, the first byte in the lowest bit. */
static uint64_t word_bits(const char *from)
{
    lanes bytes;
    uint64_t halves[LANES / WORD];
    memcpy(&bytes, from, LANES);
    signed_lanes letter = (signed_lanes)((bytes | 0x20) - 'a' - 128);
    signed_lanes digit = (signed_lanes)(bytes - '0' - 128);
    bytes = ((lanes)(letter < 26 - 128) | (lanes)(digit < 10 - 128) | (lanes)(bytes == '_')) & 1;
    memcpy(halves, &bytes, LANES);
    const uint64_t gather = UINT64_C(0x0102040810204080);
    return le64toh(halves[0]) * gather >> 56 | le64toh(halves[1]) * gather >> 56 << WORD;
}

uint64_t od_word_bits(struct od_view text)
{
    uint64_t bits = 0;
    size_t at = 0;
    for (; at + LANES <= text.n && at < 64; at += LANES)
        bits |= word_bits(text.p + at) << at;
    if (at < 64 && at < text.n) {
        char rest[LANES] = {0};
        memcpy(rest, text.p + at, text.n - at);
        bits |= word_bits(rest) << at;
    }
    return bits;
}

bool od_has_digit(struct od_view text)
{
    size_t at = 0;
    for (uint64_t word; text.n - at >= WORD; at += WORD) {
        memcpy(&word, text.p + at, WORD);
        if (od_digits_of(word))
            return true;
    }
    while (at < text.n && !od_is_digit(text.p[at]))
        at++;
    return at < text.n;
}
