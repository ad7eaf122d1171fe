#include "facts/words.h"

static const char *const names[OD_WORD_END] = {
#define OD_WORD_CLASS(constant, name) [OD_WORD_##constant] = #name,
#include "facts/words.def"
#undef OD_WORD_CLASS
};

const char *od_word_class_name(enum od_word_class class)
{
    return class < OD_WORD_END ? names[class] : NULL;
}

enum od_word_class od_word_class_find(struct od_view name)
{
    unsigned i = 0;
    while (i < OD_WORD_END && !od_view_eq_str(name, names[i]))
        i++;
    return (enum od_word_class)i;
}

/* Compares like memcmp, with the shorter text first. */
static int compare(struct od_view text, const char *word)
{
    size_t i = 0;
    while (i < text.n && text.p[i] == word[i] && word[i] != '\0')
        i++;
    if (i < text.n)
        return (unsigned char)text.p[i] < (unsigned char)word[i] ? -1 : 1;
    return word[i] == '\0' ? 0 : -1;
}

/* The first word that equals the text or sorts after it. */
static const struct od_word *find(const struct od_lexicon *lexicon, struct od_view text)
{
    size_t low = 0, high = lexicon->nwords;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(text, lexicon->words[middle].text) <= 0)
            high = middle;
        else
            low = middle + 1;
    }
    return low < lexicon->nwords ? &lexicon->words[low] : NULL;
}

uint64_t od_lexicon_classes(const struct od_lexicon *lexicon, struct od_view text)
{
    bool begins;
    return od_lexicon_look(lexicon, text, &begins);
}

uint64_t od_lexicon_look(const struct od_lexicon *lexicon, struct od_view text, bool *ret_begins)
{
    const struct od_word *word = find(lexicon, text), *end = lexicon->words + lexicon->nwords;
    *ret_begins = false;
    if (!word)
        return 0;
    bool found = od_view_eq_str(text, word->text);
    /* a blank sorts before any other byte after the text */
    const struct od_word *longer = word + found;
    *ret_begins =
        longer < end && strncmp(longer->text, text.p, text.n) == 0 && longer->text[text.n] == ' ';
    return found ? word->classes : 0;
}
