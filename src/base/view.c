#include "config.h" /* must be the first include, because it decides what system headers declare */

#include "base/base.h"

#include <assert.h>
#include <limits.h>

bool od_is_among(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

/* Does not measure the text first, because most texts differ in their first byte. */
bool od_view_eq_str(struct od_view a, const char *b)
{
    size_t n = 0;
    while (n < a.n && b[n] != '\0' && a.p[n] == b[n])
        n++;
    return n == a.n && b[n] == '\0';
}

int od_view_cmp(struct od_view a, struct od_view b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.p, b.p, n) : 0;
    if (order != 0)
        return order;
    return (a.n > b.n) - (a.n < b.n);
}

/* number of positions compared at once */
enum { LANES = 16, LONG_NEEDLE = 64 };
typedef unsigned char lanes __attribute__((vector_size(LANES)));

/* The first position from p on where both ends of the needle match; LANES = none. */
static size_t first_among(const char *p, struct od_ends ends)
{
    lanes first, last;
    uint64_t halves[LANES / sizeof(uint64_t)];
    memcpy(&first, p, LANES);
    memcpy(&last, p + ends.n - 1, LANES);
    first = (lanes)(first == (unsigned char)ends.first) & (lanes)(last == (unsigned char)ends.last);
    memcpy(halves, &first, LANES);
    if ((halves[0] | halves[1]) == 0)
        return LANES;
    size_t half = halves[0] == 0;
    return (half * CHAR_BIT) + (unsigned)__builtin_ctzll(le64toh(halves[half])) / CHAR_BIT;
}

size_t od_view_find_ends(struct od_view v, struct od_ends ends, size_t start)
{
    if (ends.n > v.n || start > v.n - ends.n)
        return OD_VIEW_NONE;
    size_t end = v.n - ends.n + 1, at = start;
    for (; at + LANES <= end; at += LANES) {
        size_t place = first_among(v.p + at, ends);
        if (place < LANES)
            return at + place;
    }
    if (at == end)
        return OD_VIEW_NONE;
    if (end - start >= LANES) { /* the last group of positions overlaps the group before it */
        size_t place = first_among(v.p + end - LANES, ends);
        return place < LANES ? end - LANES + place : OD_VIEW_NONE;
    }
    while (at < end && (v.p[at] != ends.first || v.p[at + ends.n - 1] != ends.last))
        at++;
    return at < end ? at : OD_VIEW_NONE;
}

/* Replaces memmem(), whose preparation takes longer than searching a short line. */
size_t od_view_find(struct od_view v, struct od_view needle, size_t start)
{
    if (start > v.n || needle.n > v.n - start)
        return OD_VIEW_NONE;
    if (needle.n == 0)
        return start;
    if (needle.n > LONG_NEEDLE) {
        const char *hit = memmem(v.p + start, v.n - start, needle.p, needle.n);
        return hit ? (size_t)(hit - v.p) : OD_VIEW_NONE;
    }
    const struct od_ends ends = {needle.p[0], needle.p[needle.n - 1], needle.n};
    size_t at = start;
    while ((at = od_view_find_ends(v, ends, at)) != OD_VIEW_NONE &&
           memcmp(v.p + at, needle.p, needle.n) != 0)
        at++;
    return at;
}

size_t od_view_find_char(struct od_view v, char c, size_t start)
{
    if (start >= v.n)
        return OD_VIEW_NONE;
    const char *hit = memchr(v.p + start, c, v.n - start);
    return hit ? (size_t)(hit - v.p) : OD_VIEW_NONE;
}

size_t od_view_count(struct od_view v, char c)
{
    size_t n = 0;
    for (size_t i = 0; i < v.n; i++)
        n += v.p[i] == c;
    return n;
}

const char *od_find_last(const char *p, char c, size_t n)
{
#ifdef HAVE_MEMRCHR
    return memrchr(p, c, n);
#else
    while (n > 0 && p[n - 1] != c)
        n--;
    return n > 0 ? p + n - 1 : NULL;
#endif
}

bool od_view_has(struct od_view v, struct od_view needle)
{
    return od_view_find(v, needle, 0) != OD_VIEW_NONE;
}

/* A 10-bit hash of the first two bytes. */
static unsigned pair_hash(const char *p)
{
    return ((unsigned char)p[0] * 37U + (unsigned char)p[1]) % 1024;
}

bool od_view_eq_any(struct od_view v, const char *const *texts)
{
    /* compares the first byte before measuring a text, because most texts differ in it */
    const char first = v.n > 0 ? v.p[0] : '\0';
    for (; *texts; texts++)
        if ((*texts)[0] == first && od_view_eq_str(v, *texts))
            return true;
    return false;
}

/* Does not measure the text first, because most texts differ in their first byte. */
static bool starts_with(struct od_view v, const char *text)
{
    size_t n = 0;
    while (n < v.n && text[n] != '\0' && v.p[n] == text[n])
        n++;
    return text[n] == '\0';
}

bool od_view_starts_any(struct od_view v, const char *const *texts)
{
    for (; *texts; texts++)
        if (starts_with(v, *texts))
            return true;
    return false;
}

bool od_view_ends_any(struct od_view v, const char *const *texts)
{
    while (*texts && !od_view_ends(v, od_view_of(*texts)))
        texts++;
    return *texts != NULL;
}

bool od_view_take_any(struct od_view *v, const char *const *texts)
{
    while (*texts && !od_view_take(v, od_view_of(*texts)))
        texts++;
    return *texts != NULL;
}

bool od_view_has_any(struct od_view v, const char *const *texts)
{
    uint64_t begins[1024 / 64] = {0}; /* bit set of pair_hash of all texts */
    for (const char *const *text = texts; *text; text++) {
        assert((*text)[0] != '\0' && (*text)[1] != '\0');
        begins[pair_hash(*text) / 64] |= UINT64_C(1) << pair_hash(*text) % 64;
    }
    for (size_t at = 0; at + 1 < v.n; at++) {
        unsigned pair = pair_hash(v.p + at);
        if ((begins[pair / 64] >> pair % 64 & 1) && od_view_starts_any(od_view_from(v, at), texts))
            return true;
    }
    return false;
}

struct od_view od_view_lowered(struct od_view v, char *to, size_t room)
{
    size_t n = v.n < room ? v.n : room;
    for (size_t i = 0; i < n; i++)
        to[i] = od_lower(v.p[i]);
    return (struct od_view){to, n};
}

struct od_view od_view_trim_spaces(struct od_view v)
{
    while (v.n > 0 && od_is_space(v.p[0]))
        v = od_view_from(v, 1);
    while (v.n > 0 && od_is_space(v.p[v.n - 1]))
        v.n--;
    return v;
}

void od_view_skip_blanks(struct od_view *v)
{
    while (v->n > 0 && (v->p[0] == ' ' || v->p[0] == '\t'))
        *v = od_view_from(*v, 1);
}

struct od_view od_view_last_word(struct od_view v)
{
    size_t at = v.n;
    while (at > 0 && v.p[at - 1] != ' ')
        at--;
    return od_view_from(v, at);
}

struct od_view od_view_take_letters(struct od_view *v)
{
    size_t n = 0;
    while (n < v->n && od_is_letter(v->p[n]))
        n++;
    struct od_view letters = od_view_head(*v, n);
    *v = od_view_from(*v, n);
    return letters;
}

bool od_view_cut(struct od_view *v, char c, struct od_view *ret_head)
{
    *ret_head = *v;
    if (v->n == 0)
        return false;
    size_t at = od_view_find_char(*v, c, 0);
    if (at == OD_VIEW_NONE) {
        *v = od_view_from(*v, v->n);
        return true;
    }
    *ret_head = od_view_head(*v, at);
    *v = od_view_from(*v, at + 1);
    return true;
}

uint64_t od_view_hash(struct od_view view)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < view.n; i++)
        hash = (hash ^ (unsigned char)view.p[i]) * UINT64_C(1099511628211);
    return hash;
}
