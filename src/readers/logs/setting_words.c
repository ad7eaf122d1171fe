#include "readers/logs/setting_words.h"

#include "base/word_table.h"

static const struct od_setting_key keys[] = {
#define FLAG OD_SET_FLAG
#define DASH OD_SET_DASH
#define SIGN OD_SET_SIGN
#define SAID OD_SET_SAID
#define DEPENDENT OD_SET_DEPENDENT
#define OD_SETTING_KEY(head, mask, words, setting, type, where) \
    {head, mask, words, OD_SETTING_##setting, OD_SET_##type, where},
#include "readers/logs/setting_keys.inc"
#undef OD_SETTING_KEY
#undef FLAG
#undef DASH
#undef SIGN
#undef SAID
#undef DEPENDENT
};

enum { LETTERS = 'z' - 'a' + 1 };

/* Index of the first key for each pair of first letters; the last second letter represents all
 * other characters. */
static const uint16_t starts[LETTERS * (LETTERS + 1) + 1] = {
#include "readers/logs/settings_starts.inc"
};

struct od_setting_keys od_setting_keys_at(struct od_view text, size_t at)
{
    unsigned first = (unsigned)(od_lower(text.p[at]) - 'a'), second = LETTERS;
    if (first >= LETTERS)
        return (struct od_setting_keys){keys, 0};
    if (at + 1 < text.n && od_is_letter(text.p[at + 1]))
        second = (unsigned)(od_lower(text.p[at + 1]) - 'a');
    const uint16_t *from = &starts[first * (LETTERS + 1) + second];
    return (struct od_setting_keys){&keys[from[0]], (size_t)(from[1] - from[0])};
}

static bool joins(char c)
{
    return c == '_' || c == '-' || c == ' ';
}

size_t od_setting_key_end(struct od_view text, size_t at, const struct od_setting_key *key)
{
    for (const char *c = key->words; *c; c++) {
        if (*c == ' ') {
            at += at < text.n && joins(text.p[at]);
            continue;
        }
        if (at >= text.n || od_lower(text.p[at]) != *c)
            return 0;
        at++;
    }
    return at;
}

static const struct od_word_means around[] = {
#include "readers/logs/setting_around.inc"
};

enum od_setting_word od_setting_word(struct od_view word)
{
    return (enum od_setting_word)od_word_means(around, OD_COUNT_OF(around), word);
}
