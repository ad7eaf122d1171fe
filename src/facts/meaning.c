#include "facts/meaning.h"

#include "base/ascii.h"

#include <string.h>

#define NAME(constant, name) #name,
static const char *const frames[] = {
#define OD_FRAME_MEANING NAME
#include "facts/meanings.def"
    NULL};
static const char *const said[] = {
#define OD_SAID_MEANING NAME
#include "facts/meanings.def"
    NULL};
static const char *const ops[] = {
#define OD_OP_MEANING NAME
#include "facts/meanings.def"
    NULL};
static const char *const labels[] = {
#define OD_LABEL_MEANING NAME
#include "facts/meanings.def"
    NULL};
static const char *const values[] = {
#define OD_VALUE_MEANING NAME
#include "facts/meanings.def"
    NULL};

static const struct {
    const char *name;
    const char *const *meanings;
} subjects[OD_SUBJECT_END] = {
    [OD_SUBJECT_FRAME] = {"frame", frames}, [OD_SUBJECT_SAID] = {"said", said},
    [OD_SUBJECT_OP] = {"op", ops},          [OD_SUBJECT_LABEL] = {"label", labels},
    [OD_SUBJECT_VALUE] = {"value", values},
};

enum od_subject od_subject_find(struct od_view name)
{
    unsigned i = 0;
    while (i < OD_SUBJECT_END && !od_view_eq_str(name, subjects[i].name))
        i++;
    return (enum od_subject)i;
}

const char *const *od_subject_meanings(enum od_subject subject)
{
    return subjects[subject].meanings;
}

/* --- one glob --- */

static char plain(char c)
{
    return c == '\\' ? '/' : od_lower(c);
}

static unsigned pair_of(char first, char second)
{
    return ((unsigned char)plain(first) * 37U + (unsigned char)plain(second)) % 1024;
}

/* Which pairs of bytes a text holds: most globs are refused by their first one. */
struct pairs {
    uint64_t bits[1024 / 64];
};

static void add_pairs(struct pairs *pairs, struct od_view text)
{
    for (size_t i = 0; i + 1 < text.n; i++) {
        unsigned pair = pair_of(text.p[i], text.p[i + 1]);
        pairs->bits[pair / 64] |= UINT64_C(1) << pair % 64;
    }
}

static bool may_hold(const struct pairs *pairs, struct od_view part)
{
    od_view_take(&part, OD_VIEW("?"));
    unsigned pair = part.n > 1 ? pair_of(part.p[0], part.p[1]) : 0;
    return part.n < 2 || (pairs->bits[pair / 64] >> pair % 64 & 1);
}

static bool stands_at(const struct od_meanings *m, struct od_view part, const char *at)
{
    size_t i = 0;
    for (; i < part.n; i++) {
        char c = m->fold ? od_lower(at[i]) : at[i], wanted = part.p[i];
        if (c != wanted && !(m->path && c == '\\' && wanted == '/') &&
            !(wanted == '?' && od_is_letter(c)))
            break;
    }
    return i == part.n;
}

static bool fits(const struct od_meanings *m, const char *glob, struct od_view text,
                 const struct pairs *pairs)
{
    struct od_view part = od_view_of(glob);
    bool before = od_view_take(&part, OD_VIEW("*"));
    bool behind = part.n > 0 && part.p[part.n - 1] == '*';
    part.n -= behind;
    if (part.n > text.n || text.n == 0 || !may_hold(pairs, part))
        return false;
    size_t end = text.n - part.n, last = before ? end : 0;
    if (!before && !behind && end > 0)
        return false;
    for (size_t at = behind ? 0 : last; at <= last; at++)
        if (stands_at(m, part, text.p + at))
            return true;
    return false;
}

/* --- a text --- */

static struct od_view behind_last(struct od_view text, const char *ends)
{
    size_t at = text.n;
    while (at > 0 && !strchr(ends, text.p[at - 1]))
        at--;
    return od_view_from(text, at);
}

static bool row_fits(const struct od_meanings *m, const struct od_meaning_row *row,
                     struct od_view text, const struct pairs *pairs)
{
    for (const char *const *glob = row->globs; glob && *glob; glob++)
        if (fits(m, *glob, text, pairs))
            return true;
    return !row->globs;
}

uint64_t od_meanings_read(const struct od_meanings *meanings, struct od_view text,
                          struct od_view more)
{
    struct od_view fields[OD_MF_END] = {text, behind_last(text, "/\\"), behind_last(more, "."),
                                        behind_last(more, ".")};
    struct pairs pairs = {0};
    uint64_t found = 0;
    while (od_view_take(&fields[OD_MF_BARE], OD_VIEW("_"))) {
    }
    add_pairs(&pairs, text);
    add_pairs(&pairs, more);
    for (size_t i = 0; i < meanings->nrows; i++) {
        const struct od_meaning_row *row = &meanings->rows[i];
        if ((found & row->with) == row->with && (found & row->except) == 0 &&
            row_fits(meanings, row, fields[row->field], &pairs))
            found |= UINT64_C(1) << row->meaning;
    }
    return found;
}
