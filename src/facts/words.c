#include "facts/words.h"

static const char *const names[OD_WORD_END] = {
    [OD_WORD_CANNOT] = "cannot",
    [OD_WORD_GET] = "get",
    [OD_WORD_TAKE] = "take",
    [OD_WORD_ALLOCATION] = "allocation",
    [OD_WORD_FAILED] = "failed",
    [OD_WORD_OUT_OF] = "out_of",
    [OD_WORD_LACK] = "lack",
    [OD_WORD_NONE] = "none",
    [OD_WORD_EXHAUSTED] = "exhausted",
    [OD_WORD_EXCEED] = "exceed",
    [OD_WORD_REFUSAL] = "refusal",
    [OD_WORD_MEMORY] = "memory",
    [OD_WORD_THING] = "thing",
    [OD_WORD_DEVICE] = "device",
    [OD_WORD_HOST] = "host",
    [OD_WORD_PINNED] = "pinned",
    [OD_WORD_SHM] = "shm",
    [OD_WORD_UNIFIED] = "unified",
    [OD_WORD_CACHE] = "cache",
    [OD_WORD_COMPILE] = "compile",
    [OD_WORD_ELSE] = "something_else",
    [OD_WORD_REQUESTED] = "requested",
    [OD_WORD_SIZE] = "size",
    [OD_WORD_FREE] = "free",
    [OD_WORD_CAPACITY] = "capacity",
    [OD_WORD_LIMIT] = "limit",
    [OD_WORD_USED] = "in_use",
    [OD_WORD_RESERVED] = "reserved",
    [OD_WORD_PEAK] = "peak",
    [OD_WORD_NEITHER] = "neither",
    [OD_WORD_ERROR] = "error",
    [OD_WORD_MILD] = "mild",
    [OD_WORD_IF] = "if",
    [OD_WORD_PEOPLE] = "people",
    [OD_WORD_ADVICE] = "advice",
    [OD_WORD_WITHOUT] = "without",
    [OD_WORD_GOES_ON] = "goes_on",
    [OD_WORD_REMEMBER] = "remember",
    [OD_WORD_REASON] = "reason",
    [OD_WORD_FILLER] = "filler",
    [OD_WORD_HAPPENED] = "happened",
    [OD_WORD_GIVEN_OUT] = "given_out",
    [OD_WORD_ARTICLE] = "article",
    [OD_WORD_VERB] = "verb",
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

/* As memcmp of both, the shorter first. */
static int compare(struct od_view text, const char *word)
{
    size_t i = 0;
    while (i < text.n && text.p[i] == word[i] && word[i] != '\0')
        i++;
    if (i < text.n)
        return (unsigned char)text.p[i] < (unsigned char)word[i] ? -1 : 1;
    return word[i] == '\0' ? 0 : -1;
}

uint64_t od_lexicon_classes(const struct od_lexicon *lexicon, struct od_view text)
{
    size_t low = 0, high = lexicon->nwords;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(text, lexicon->words[middle].text);
        if (order == 0)
            return lexicon->words[middle].classes;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
