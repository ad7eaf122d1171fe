#include "facts/prose.h"

#include "base/log_prefix.h"
#include "facts/meaning.h"
#include "facts/number.h"

static bool is_one_of(struct od_view word, const char *const *words)
{
    char small[sizeof "because"];
    return word.n < sizeof small &&
           od_view_eq_any(od_view_lowered(word, small, sizeof small), words);
}

bool od_is_small_word(struct od_view word)
{
    static const char *const words[] = {"the",  "a",    "an",   "i",   "my",    "is",    "are",
                                        "was",  "with", "of",   "on",  "and",   "it",    "has",
                                        "have", "when", "if",   "but", "for",   "we",    "that",
                                        "this", "to",   "only", "use", "every", "which", NULL};
    return is_one_of(word, words);
}

/* Words that join the parts of a person's sentence, and that a program's message seldom has. */
static bool is_joint(struct od_view word)
{
    static const char *const words[] = {"at",      "in",    "from", "after", "me",   "our",
                                        "because", "there", "then", "been",  "keep", NULL};
    return is_one_of(word, words);
}

/* Has the line two different words that people use and programs seldom print? */
static bool has_words_of_prose(struct od_view line)
{
    struct od_view first = {0};
    for (size_t i = 0; i < line.n; i++) {
        struct od_view word = od_word_at(line, i);
        bool small = word.n > 0 && (od_is_small_word(word) || is_joint(word));
        if (small && first.n > 0 && !od_view_eq(word, first))
            return true;
        if (small)
            first = word;
        i += word.n;
    }
    return false;
}

bool od_is_prose(struct od_view line)
{
    bool heading = line.n > 2 && line.p[0] == '#' && line.p[1] == ' ';
    if ((line.n > 0 && line.p[0] == '[') || (!heading && !has_words_of_prose(line)))
        return false;
    return !od_log_begins_with_time(line) &&
           !od_means(od_meanings_of(OD_SUBJECT_SAID, line, (struct od_view){0}), OD_SAID_EXCEPTION);
}
