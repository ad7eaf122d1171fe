#include "facts/prose.h"

#include "base/log_prefix.h"
#include "facts/meaning.h"
#include "facts/number.h"
#include "facts/prose_lists.inc"

static bool is_one_of(struct od_view word, const char *const *words)
{
    char room[sizeof "because"];
    return word.n < sizeof room && od_view_eq_any(od_view_lowered(word, room, sizeof room), words);
}

bool od_is_small_word(struct od_view word)
{
    return is_one_of(word, small);
}

/* Has the line two different words that people use and programs seldom print? */
static bool has_words_of_prose(struct od_view line)
{
    struct od_view first = {0};
    for (size_t i = 0; i < line.n; i++) {
        struct od_view word = od_word_at(line, i);
        bool counts = word.n > 0 && (is_one_of(word, small) || is_one_of(word, joints));
        if (counts && first.n > 0 && !od_view_eq(word, first))
            return true;
        if (counts)
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
