/*
 * Compares a question with the words of each topic's examples. Words that few topics have weigh
 * more, so articles and auxiliary verbs need no list of their own.
 */
#include "cli/ask.h"

#include <math.h>

enum { WORDS_MAX = 24 };

struct words {
    struct od_view items[WORDS_MAX];
    size_t n;
};

/* The distinct words of a text, split at everything except letters and digits: clear_session() has
 * two. */
static struct words words_of(const char *text)
{
    struct words words = {0};
    while (*text && words.n < WORDS_MAX) {
        size_t n = 0;
        while (od_is_alnum(text[n]))
            n++;
        if (n > 0)
            words.items[words.n++] = (struct od_view){text, n};
        text += n > 0 ? n : 1;
    }
    return words;
}

static bool is_ending(struct od_view text)
{
    static const char *const endings[] = {"",     "d", "e", "ed", "es",   "ing",  "ion",
                                          "ions", "n", "r", "s",  "ings", "ment", NULL};
    return od_view_eq_any(text, endings);
}

/* Are these forms of one word, as "accumulate" and "accumulation"? */
static bool is_same(struct od_view a, struct od_view b)
{
    enum { LEAST_STEM = 4 };
    size_t same = 0;
    while (same < a.n && same < b.n && od_lower(a.p[same]) == od_lower(b.p[same]))
        same++;
    if (same == a.n && same == b.n)
        return true;
    return same >= LEAST_STEM && is_ending(od_view_from(a, same)) &&
           is_ending(od_view_from(b, same));
}

static bool has(const struct words *words, struct od_view word)
{
    for (size_t i = 0; i < words->n; i++)
        if (is_same(words->items[i], word))
            return true;
    return false;
}

static bool topic_has(const struct od_topic *topic, struct od_view word)
{
    for (const char *const *question = topic->questions; *question; question++) {
        struct words words = words_of(*question);
        if (has(&words, word))
            return true;
    }
    return false;
}

/* The weight of a word: higher if fewer topics have it; half of the maximum if none has it. */
static double weight_of(struct od_view word)
{
    double all = 0, with = 0;
    for (const struct od_topic *const *topic = od_shipped_topics; *topic; topic++) {
        all++;
        with += topic_has(*topic, word);
    }
    double most = log(all + 1), rarity = log((all + 1) / (with > 0 ? with : 1));
    return with > 0 ? rarity * rarity : most * most / 2;
}

/* Is it one of the topic's examples, or a part of one? */
static bool is_example(const struct words *asked, const struct od_topic *topic)
{
    enum { LEAST_WORDS = 4 };
    for (const char *const *question = topic->questions; *question; question++) {
        struct words words = words_of(*question);
        size_t n = 0;
        while (n < asked->n && has(&words, asked->items[n]))
            n++;
        if (n == asked->n && n >= LEAST_WORDS)
            return true;
    }
    return false;
}

/* The share of the question's words that the topic has, by weight. A single rare word is not
 * enough: "what is a tensor" does not ask how to free one. */
static double share_of(const struct words *asked, const struct od_topic *topic)
{
    enum { LEAST_RARE = 2 };
    const double rare = 1;
    double all = 0, in_topic = 0;
    size_t nrare = 0;
    for (size_t i = 0; i < asked->n; i++) {
        double weight = weight_of(asked->items[i]);
        bool found = topic_has(topic, asked->items[i]);
        all += weight;
        in_topic += found ? weight : 0;
        nrare += found && weight > rare;
    }
    return nrare >= LEAST_RARE || is_example(asked, topic) ? in_topic / all : 0;
}

const struct od_topic *od_topic_for(const char *question)
{
    const struct od_topic *found = NULL;
    struct words asked = words_of(question);
    double best = 0.5; /* a lower share does not count as an answer */
    for (const struct od_topic *const *topic = od_shipped_topics; *topic; topic++) {
        double share = share_of(&asked, *topic);
        if (share > best) {
            best = share;
            found = *topic;
        }
    }
    return found;
}
