/* What words look like, and where what is found goes. */
#include "redact/found.h"

#include "base/ascii.h"

#include <string.h>

void od_found_add(struct od_search *s, struct od_found found)
{
    if (s->covered < found.end)
        s->covered = found.end;
    found.start += s->base;
    found.end += s->base;
    od_vec_push(s->finds, found);
}

/* clang-format off */
#define ALL 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
const uint8_t od_letters[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, /* - / */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, /* : */
    2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* @ */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0, 0, 0, /* backslash */
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 2, 0, /* ~ */
    ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL,
};
#undef ALL
/* clang-format on */

size_t od_run(struct od_view text, size_t at, const char *extra)
{
    size_t n = 0;
    for (; n < OD_RUN_MOST && at + n < text.n; n++) {
        char c = text.p[at + n];
        if (!od_is_text(c) && (c == '\0' || c == ' ' || !strchr(extra, c)))
            break;
    }
    return n;
}

/* How many characters of each class, and how often the class changes. */
struct mix {
    size_t digits, lower, upper, hex, changes, vowels;
};

static int class_of(char c)
{
    return od_is_digit(c) ? 1 : od_is_upper(c) ? 2 : od_is_letter(c) ? 3 : 0;
}

static struct mix mix_of(struct od_view text)
{
    struct mix mix = {0};
    int last = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        int class = class_of(c);
        mix.digits += class == 1;
        mix.upper += class == 2;
        mix.lower += class == 3;
        mix.hex += od_is_hex(c);
        mix.changes += last && class && class != last;
        last = class;
    }
    return mix;
}

/* Names change class between words; what is made by chance changes all the time. */
bool od_is_random(struct od_view text)
{
    enum { LEAST = 16, LOOK = 128 };
    struct od_view look = od_view_head(text, LOOK);
    struct mix mix = mix_of(look);
    if (look.n < LEAST || mix.digits == 0 || mix.lower + mix.upper == 0)
        return false;
    if (mix.hex == look.n)
        return look.n >= 20 && mix.digits >= 3 && mix.changes >= 6;
    return mix.digits >= 2 && mix.changes * 5 >= look.n;
}

/* Base64 of what people read, as of JSON. */
static bool holds_text(struct od_view word)
{
    enum { LOOK = 20 };
    unsigned bits = 0, have = 0;
    for (size_t i = 0; i < word.n && i < LOOK; i++) {
        char c = word.p[i];
        bits = bits << 6 | (unsigned)(od_is_digit(c)   ? c - '0' + 52
                                      : od_is_upper(c) ? c - 'A'
                                                       : c - 'a' + 26);
        have += 6;
        if (have < 8)
            continue;
        have -= 8;
        unsigned byte = bits >> have & 255;
        if (byte < ' ' || byte > '~')
            return false;
    }
    return true;
}

/* Keys of makers whose forms nobody knows: capitals, small letters and digits in no order, in a run
 * that is longer than the ids that services give to what they are asked. Base64 of data has longer
 * neighbours. */
bool od_find_chance(struct od_search *s, struct od_word word)
{
    enum { ALONE = 32, RUN = 40 };
    struct od_view text = s->text;
    struct mix mix = mix_of(od_part(text, word.start, word.end));
    size_t n = word.end - word.start, start = word.start;
    /* hcaik_, napi_: a maker's word before a run without capitals */
    bool marked = start > 0 && text.p[start - 1] == '_' && n >= RUN && mix.upper == 0 &&
                  mix.hex < n && mix.digits >= 4 && mix.changes * 10 >= n * 3;
    if (marked) {
        od_found_add(s, (struct od_found){start, word.end, OD_REDACT_SECRET, false});
        return true;
    }
    if (mix.upper < 3 || mix.lower < 3 || mix.digits < 2 || mix.changes * 12 < n * 5)
        return false;
    while (start > 0 && word.start - start < OD_RUN_MOST &&
           (od_is_text(text.p[start - 1]) || strchr("_-", text.p[start - 1])))
        start--;
    size_t end = word.start + od_run(text, word.start, "_-");
    bool data = (start > 0 && strchr("+/", text.p[start - 1])) ||
                (end < text.n && strchr("+/", text.p[end]));
    bool mangled = od_view_starts(od_view_from(text, start), OD_VIEW("_Z")); /* a name of C++ */
    if ((n < ALONE && end - start < RUN) || data || mangled ||
        holds_text(od_part(text, word.start, word.end)))
        return false;
    od_found_add(s, (struct od_found){start, end, OD_REDACT_SECRET, false});
    return true;
}

bool od_is_user(const struct od_words *words, struct od_view name)
{
    size_t letters = 0;
    for (size_t i = 0; i < name.n; i++)
        letters += od_is_letter(name.p[i]) || (unsigned char)name.p[i] >= 0x80;
    return name.n >= 2 && name.n <= 64 && letters > 0 && !od_is_common_name(words, name) &&
           !od_words_is(words, name, OD_ROLE_EMPTY);
}

static bool is_hex_id(struct od_view name)
{
    struct mix mix = mix_of(name);
    return name.n == 12 && mix.hex == 12 && mix.upper == 0 && mix.digits > 0 && mix.lower > 0;
}

/* Letters before the first digit: "gpu-node-03" has three such words. */
static bool has_role(const struct od_words *words, struct od_view name, uint32_t role)
{
    for (size_t at = 0; at < name.n;) {
        size_t n = 0;
        while (at + n < name.n && od_is_letter(name.p[at + n]))
            n++;
        if (n > 0 && od_words_is(words, od_part(name, at, at + n), role))
            return true;
        at += n + 1;
    }
    return false;
}

bool od_is_machine(const struct od_words *words, struct od_view name, bool sure)
{
    struct mix mix = mix_of(name);
    bool marked = mix.digits > 0 || od_view_find_char(name, '-', 0) != OD_VIEW_NONE;
    if (name.n < 2 || name.n > 253 || od_is_common_name(words, name))
        return false;
    if (is_hex_id(name))
        return true;
    if (!od_is_letter(name.p[0]) || od_view_find_char(name, '_', 0) != OD_VIEW_NONE || !marked)
        return false;
    if (has_role(words, name, OD_ROLE_MACHINE) && mix.digits > 0)
        return true;
    return sure && !has_role(words, name, OD_ROLE_DEVICE);
}
