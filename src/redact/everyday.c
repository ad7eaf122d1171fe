/* Common words, which cannot be names: rules/words/everyday.txt, sorted. */
#include "redact/found.h"

static const char list[] = {
#include "redact/everyday.inc"
};

/* word must be in lower case. */
static bool is_listed(struct od_view word)
{
    size_t low = 0, high = sizeof list;
    while (low < high) {
        size_t at = low + (high - low) / 2, end;
        while (at > low && list[at - 1] != '\n')
            at--;
        for (end = at; list[end] != '\n';)
            end++;
        int order = od_view_cmp((struct od_view){list + at, end - at}, word);
        if (order == 0)
            return true;
        low = order < 0 ? end + 1 : low;
        high = order < 0 ? high : at;
    }
    return false;
}

/* Is a form of the word listed? "zoned" matches "zone", "zoning" too; "zipped" matches "zip". */
static bool has_listed_stem(struct od_view word)
{
    static const char *const ends[] = {"s", "es", "d", "ed", "r", "er", "ing", "ers", "ly", NULL};
    enum { LEAST = 3, WORD_MOST = 24 };
    char made[WORD_MOST];
    for (size_t i = 0; ends[i]; i++) {
        size_t n = word.n - strlen(ends[i]);
        if (!od_view_ends(word, od_view_of(ends[i])) || n < LEAST || n > word.n)
            continue;
        memcpy(made, word.p, n);
        made[n] = 'e';
        if (is_listed(od_view_head(word, n)) || is_listed((struct od_view){made, n + 1}) ||
            (made[n - 1] == made[n - 2] && is_listed(od_view_head(word, n - 1))))
            return true;
    }
    return false;
}

bool od_is_everyday(const struct od_words *words, struct od_view word)
{
    enum { WORD_MOST = 20 };
    char low[WORD_MOST];
    if (word.n > WORD_MOST || od_words_roles(words, word) & ~(uint32_t)OD_ROLE_SAID)
        return true;
    word = od_view_lowered(word, low, sizeof low);
    return is_listed(word) || has_listed_stem(word);
}

bool od_is_strange(const struct od_words *words, struct od_view name)
{
    enum { LEAST = 4 };
    bool hex = true, digit = false;
    for (size_t i = 0; i < name.n; i++) {
        hex = hex && od_is_hex(name.p[i]);
        digit = digit || od_is_digit(name.p[i]);
    }
    for (size_t at = 0; at < name.n && !(hex && digit);) {
        size_t n = 0;
        for (; at + n < name.n && (od_is_letter(name.p[at + n]) || name.p[at + n] & '\x80'); n++)
            if (n > 0 && od_is_upper(name.p[at + n]) && !od_is_upper(name.p[at + n - 1]))
                break; /* "NodeList" has two humps */
        if (n >= LEAST && !od_is_everyday(words, od_view_part(name, at, at + n)))
            return true;
        at += n > 0 ? n : 1;
    }
    return false;
}
