#include "facts/excerpt.h"

#include "base/log_prefix.h"
#include "facts/words.h"

static const struct od_view left_out = {"\xe2\x80\xa6", 3};

enum { WORD = 16 }; /* bytes of a word that is left out whole */

static bool is_within_character(struct od_view text, size_t at)
{
    return at < text.n && ((unsigned char)text.p[at] & 0xc0) == 0x80;
}

/* The first n bytes, or up to WORD bytes less if a word ends there. */
static struct od_view head_of(struct od_view text, size_t n)
{
    for (size_t i = n; i + WORD > n; i--)
        if (text.p[i] == ' ')
            return od_view_head(text, i);
    while (n > 0 && is_within_character(text, n))
        n--;
    return od_view_head(text, n);
}

/* The words in the last n bytes; empty if a word is longer. */
static struct od_view tail_of(struct od_view text, size_t n)
{
    struct od_view tail = od_view_from(text, text.n - n);
    size_t blank = od_view_find_char(tail, ' ', 0);
    return od_view_from(tail, blank == OD_VIEW_NONE ? tail.n : blank);
}

struct od_view od_excerpt_of(struct od_view line, struct od_view part)
{
    line = od_view_trim(line);
    bool within = part.p > line.p && part.p < line.p + line.n;
    size_t start = within ? (size_t)(part.p - line.p) : 0;
    return start + part.n <= OD_EXCERPT ? line : od_view_from(line, start);
}

size_t od_excerpt_keep(struct od_view text, size_t most, char *room)
{
    struct od_view parts[] = {text, {0}, {0}};
    size_t n = 0;
    if (text.n > most) {
        parts[0] = head_of(text, most - OD_EXCERPT_END - left_out.n);
        parts[1] = left_out;
        parts[2] = tail_of(text, OD_EXCERPT_END);
    }
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++) {
        if (parts[i].n > 0)
            memcpy(room + n, parts[i].p, parts[i].n);
        n += parts[i].n;
    }
    return n;
}

struct od_view od_excerpt_cut(struct od_view text, size_t most, char *room)
{
    if (text.n <= most)
        return text;
    return (struct od_view){room, od_excerpt_keep(text, most, room)};
}

/* Weights of the parts of a line that is too long to quote whole. */
enum { OF_WORD = 2, OF_START = 5, OF_NUMBER = 6 };

static bool is_unit(struct od_view word)
{
    return word.n > 1 && word.n < 4 && strchr("KMGT", word.p[0]) && word.p[word.n - 1] == 'B';
}

/* How much the word says about memory. Times and addresses of pages are no numbers. */
static unsigned weight_of(const struct od_lexicon *lexicon, struct od_view word)
{
    static const uint64_t memory = OD_WORD_BIT(OD_WORD_MEMORY) | OD_WORD_BIT(OD_WORD_REFUSAL) |
                                   OD_WORD_BIT(OD_WORD_EXHAUSTED) | OD_WORD_BIT(OD_WORD_ALLOCATION);
    char small[32];
    while (word.n > 0 && !od_is_word(word.p[word.n - 1]))
        word.n--;
    if (word.n > sizeof small || od_view_has(word, OD_VIEW("://")))
        return 0;
    bool number = is_unit(word), time = od_log_begins_with_time(word);
    for (size_t i = 0; i < word.n && !number && !time; i++) /* not "seq2seq" */
        number = od_is_digit(word.p[i]) && (i == 0 || !od_is_word(word.p[i - 1]));
    if (number)
        return OF_NUMBER;
    struct od_view lowered = od_view_lowered(word, small, sizeof small);
    return od_lexicon_classes(lexicon, lowered) & memory ? OF_WORD : 0;
}

static bool ends_sentence(struct od_view text, size_t at)
{
    return at > 0 && strchr(".!?", text.p[at - 1]) && (at == text.n || text.p[at] == ' ');
}

/* The end of the last word that begins and ends in the text's first bytes. */
static size_t whole_words(struct od_view text, size_t most)
{
    size_t end = most < text.n ? most : text.n;
    while (end > 0 && end < text.n && text.p[end] != ' ')
        end--;
    if (end > 0)
        return end;
    for (end = most; end > 0 && ((unsigned char)text.p[end] & 0xc0) == 0x80;)
        end--;
    return end;
}

/* The weight of the words, and the end of the last number; of the last word with a weight if there
 * is no number. */
static unsigned weigh(const struct od_lexicon *lexicon, struct od_view text, size_t *ret_last)
{
    unsigned sum = 0, least = 1;
    *ret_last = 0;
    for (size_t i = 0; i < text.n;) {
        size_t end = od_view_find_char(text, ' ', i);
        end = end == OD_VIEW_NONE ? text.n : end;
        unsigned weight = weight_of(lexicon, od_view_from(od_view_head(text, end), i));
        if (weight >= least) {
            *ret_last = end;
            least = weight;
        }
        sum += weight;
        i = end + 1;
    }
    return sum;
}

struct od_view od_excerpt_key_part(const struct od_lexicon *lexicon, struct od_view text,
                                   size_t most)
{
    struct od_view best = {0};
    unsigned highest = 0;
    size_t last = 0, end = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (i > 0 && text.p[i - 1] != ' ')
            continue;
        struct od_view rest = od_view_from(text, i);
        rest = od_view_head(rest, whole_words(rest, most));
        unsigned weight = weigh(lexicon, rest, &last);
        weight += i == 0 || ends_sentence(text, i - 1) ? OF_START : 0;
        if (best.n == 0 || weight > highest) {
            best = rest;
            end = last;
            highest = weight;
        }
    }
    for (size_t i = end > 0 ? end : best.n; i < best.n; i++)
        if (ends_sentence(best, i))
            return od_view_head(best, i);
    return best;
}
