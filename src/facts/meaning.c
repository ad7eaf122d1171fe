#include "facts/meaning.h"

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
static const char *const sizes[] = {
#define OD_SIZE_MEANING NAME
#include "facts/meanings.def"
    NULL};
static const char *const claims[] = {
#define OD_CLAIM_MEANING NAME
#include "facts/meanings.def"
    NULL};
static const char *const numbers[] = {
#define OD_NUMBER_MEANING NAME
#include "facts/meanings.def"
    NULL};

static const char *const objects[] = {
#define OD_OBJECT(name) #name,
#include "facts/objects.def"
    NULL};

static const struct {
    const char *name;
    const char *const *meanings;
} subjects[OD_SUBJECT_END] = {
    [OD_SUBJECT_FRAME] = {"frame", frames},
    [OD_SUBJECT_SAID] = {"said", said},
    [OD_SUBJECT_OP] = {"op", ops},
    [OD_SUBJECT_LABEL] = {"label", labels},
    [OD_SUBJECT_VALUE] = {"value", values},
    [OD_SUBJECT_SIZE] = {"size", sizes},
    [OD_SUBJECT_CLAIM] = {"claim", claims},
    [OD_SUBJECT_NUMBER] = {"number", numbers},
    [OD_SUBJECT_OBJECT] = {"object", objects},
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

static char plain(char c)
{
    return c == '\\' ? '/' : od_lower(c);
}

enum { PAIRS = 1024, PLAIN_MOST = 2048 };

/* Number of a pair of bytes; never 0, which means no pair. */
static unsigned pair_of(char first, char second)
{
    return 1 + ((unsigned char)plain(first) * 37U + (unsigned char)plain(second)) % (PAIRS - 1);
}

/* The pairs of bytes in a text. Most globs are rejected because a pair of theirs is missing. */
struct pairs {
    uint64_t bits[PAIRS / 64];
};

static void add_pairs(struct pairs *pairs, struct od_view text)
{
    for (size_t i = 0; i + 1 < text.n; i++) {
        unsigned pair = pair_of(text.p[i], text.p[i + 1]);
        pairs->bits[pair / 64] |= UINT64_C(1) << pair % 64;
    }
}

struct od_meaning_glob od_meaning_glob_of(const char *text)
{
    struct od_view part = od_view_of(text), plain_part;
    struct od_meaning_glob glob = {.before = od_view_take(&part, OD_VIEW("*"))};
    glob.after = part.n > 0 && part.p[part.n - 1] == '*';
    glob.text = part.p;
    glob.n = (unsigned)part.n - glob.after;
    plain_part = od_view_head(part, glob.n);
    od_view_take(&plain_part, OD_VIEW("?"));
    if (plain_part.n > 1) {
        glob.pair = pair_of(plain_part.p[0], plain_part.p[1]);
        glob.last = pair_of(plain_part.p[plain_part.n - 2], plain_part.p[plain_part.n - 1]);
    }
    return glob;
}

static bool stands_at(const struct od_meanings *m, const struct od_meaning_glob *part,
                      const char *at)
{
    size_t i = 0;
    for (; i < part->n; i++) {
        char c = m->fold ? od_lower(at[i]) : at[i], wanted = part->text[i];
        if (c != wanted && !(m->path && c == '\\' && wanted == '/') &&
            !(wanted == '?' && od_is_letter(c)))
            break;
    }
    return i == part->n;
}

/* The text to compare with globs, and its lower-case copy unless it is too long (then NULL). */
struct asked {
    struct od_view text;
    const char *plain;
};

/* The next position up to last at which the glob may match; a position past last if there is
 * none. */
static size_t next_place(const struct od_meaning_glob *glob, const struct asked *asked, size_t at,
                         size_t last)
{
    size_t skip = glob->n > 0 && glob->text[0] == '?';
    if (!asked->plain || glob->n <= skip)
        return at;
    const struct od_view text = {asked->plain + skip, last + glob->n - skip};
    const struct od_ends ends = {plain(glob->text[skip]), plain(glob->text[glob->n - 1]),
                                 glob->n - skip};
    return od_view_find_ends(text, ends, at);
}

static bool fits(const struct od_meanings *m, const struct od_meaning_glob *glob,
                 const struct asked *asked)
{
    struct od_view text = asked->text;
    if (glob->n > text.n || text.n == 0)
        return false;
    size_t end = text.n - glob->n, last = glob->before ? end : 0;
    if (!glob->before && !glob->after && end > 0)
        return false;
    size_t at = next_place(glob, asked, glob->after ? 0 : last, last);
    while (at <= last && !stands_at(m, glob, text.p + at))
        at = next_place(glob, asked, at + 1, last);
    return at <= last;
}

static struct od_view behind_last(struct od_view text, const char *ends)
{
    size_t at = text.n;
    while (at > 0 && !strchr(ends, text.p[at - 1]))
        at--;
    return od_view_from(text, at);
}

static bool has_pair(const struct pairs *pairs, unsigned pair)
{
    return pairs->bits[pair / 64] >> pair % 64 & 1;
}

static bool row_fits(const struct od_meanings *m, const struct od_meaning_row *row,
                     const struct asked *asked, const struct pairs *pairs)
{
    for (size_t i = 0; i < row->nglobs; i++)
        if (has_pair(pairs, row->globs[i].pair) && has_pair(pairs, row->globs[i].last) &&
            fits(m, &row->globs[i], asked))
            return true;
    return row->nglobs == 0;
}

uint64_t od_meanings_read(const struct od_meanings *meanings, struct od_view text,
                          struct od_view more)
{
    struct od_view last = behind_last(text, "/\\"), name = behind_last(more, ".");
    char lowered[PLAIN_MOST];
    bool fitting = text.n <= sizeof lowered;
    struct asked fields[OD_MF_END] = {
        {text, fitting ? lowered : NULL},
        {last, fitting ? lowered + (text.n - last.n) : NULL},
        {name, NULL},
        {name, NULL},
    };
    struct pairs pairs = {.bits = {1}}; /* a glob without a pair is always tried */
    uint64_t found = 0;
    for (size_t i = 0; fitting && i < text.n; i++)
        lowered[i] = plain(text.p[i]);
    while (od_view_take(&fields[OD_MF_BARE].text, OD_VIEW("_"))) {
    }
    add_pairs(&pairs, text);
    add_pairs(&pairs, more);
    OD_FOR_EACH_OF (const struct od_meaning_row, row, meanings->rows, meanings->nrows)
        if ((found & row->with) == row->with && (found & row->except) == 0 &&
            row_fits(meanings, row, &fields[row->field], &pairs))
            found |= UINT64_C(1) << row->meaning;
    return found;
}

uint64_t od_words_mean(const struct od_meanings *meanings, struct od_view text, bool humps)
{
    enum { WORDS_MOST = 600 };
    char words[WORDS_MOST + 2] = " ";
    size_t n = 1;
    for (size_t i = 0; i < text.n && n < WORDS_MOST; i++) {
        char c = text.p[i];
        bool letter = od_is_letter(c) || (!humps && (c & 0x80) != 0);
        bool hump = humps && i > 0 && od_is_upper(c) && !od_is_upper(text.p[i - 1]);
        if ((hump || !letter) && words[n - 1] != ' ')
            words[n++] = ' ';
        if (letter)
            words[n++] = od_lower(c);
    }
    if (words[n - 1] != ' ')
        words[n++] = ' ';
    return od_meanings_read(meanings, (struct od_view){words, n}, (struct od_view){0});
}
