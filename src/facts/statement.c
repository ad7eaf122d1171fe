#include "facts/statement.h"

#include "facts/claim.h"
#include "facts/mention_parts.h"
#include "facts/number.h"

#include "facts/claim_lists.inc"

enum { SENTENCE_MOST = 140, NEAR = 24 }; /* bytes */

#define BIT(meaning) (UINT64_C(1) << (meaning))

static uint64_t means_of(struct od_view text)
{
    return od_words_mean(&od_shipped_meanings[OD_SUBJECT_CLAIM], text, false);
}

/* The part of the line around the number up to the nearest of the signs on both sides. */
static struct od_view between(struct od_view line, struct od_view number,
                              const char *const *separators)
{
    size_t at = (size_t)(number.p - line.p), from = 0, to = line.n;
    for (size_t i = 0; separators[i]; i++) {
        struct od_view sign = od_view_of(separators[i]);
        for (size_t k = 0; (k = od_view_find(line, sign, k)) < at && k + sign.n <= at; k++)
            from = k + sign.n > from ? k + sign.n : from;
        size_t end = od_view_find(line, sign, at + number.n);
        to = end < to ? end : to;
    }
    return od_view_trim((struct od_view){line.p + from, to - from});
}

static struct od_view sentence_of(struct od_view line, struct od_view number)
{
    struct od_view sentence = between(line, number, ends);
    while (sentence.n > 0 && strchr("-*>#|", sentence.p[0]))
        sentence = od_view_trim(od_view_from(sentence, 1));
    while (sentence.n > 0 && strchr(".,:;", sentence.p[sentence.n - 1]))
        sentence.n--;
    return sentence;
}

struct od_view od_statement_around(struct od_view line, struct od_view number)
{
    struct od_view sentence = sentence_of(line, number);
    if (sentence.n > SENTENCE_MOST)
        sentence = between(sentence, number, parts);
    return sentence.n > SENTENCE_MOST ? (struct od_view){0} : sentence;
}

struct od_view od_statement_part(struct od_view line, struct od_view number)
{
    return between(sentence_of(line, number), number, parts);
}

/* Is a part larger than its whole: "8 GiB, of which 84 GiB is free"? */
static bool has_larger_part(struct od_view sentence)
{
    struct od_number whole = {0}, part;
    for (size_t at = 0; od_number_next(sentence, &at, &part); whole = part)
        if (od_bytes_less(whole.bytes, part.bytes) == OD_YES &&
            od_view_has(od_view_part(sentence, whole.end, part.start), OD_VIEW(" of which ")))
            return true;
    return false;
}

enum od_statement_fault od_statement_check(struct od_view line, struct od_view number,
                                           uint64_t named, bool amount)
{
    static const uint64_t owners = BIT(OD_CLAIM_DEVICE) | BIT(OD_CLAIM_HOST) | BIT(OD_CLAIM_GROUP) |
                                   BIT(OD_CLAIM_POOL) | BIT(OD_CLAIM_PERSONAL) | BIT(OD_CLAIM_DATA),
                          places = BIT(OD_SIZE_PLACE) | BIT(OD_SIZE_DEVICE) | BIT(OD_SIZE_HOST) |
                                   BIT(OD_SIZE_DATA);
    if (number.n == 0)
        return od_claim_read(line).denied ? OD_STATEMENT_AGAINST : OD_STATEMENT_GOOD;
    struct od_view sentence = sentence_of(line, number), part = od_statement_part(line, number);
    size_t at = (size_t)(number.p - sentence.p);
    uint64_t means = means_of(sentence), of_part = means_of(part),
             after = means_of(od_view_head(od_view_from(sentence, at + number.n), NEAR)),
             before = means_of(od_view_from(od_view_head(sentence, at), at > NEAR ? at - NEAR : 0));
    const char *end = sentence.p + sentence.n;
    bool asked = (end < line.p + line.n && *end == '?') || od_view_ends(sentence, OD_VIEW("?"));
    if (od_statement_around(line, number).n == 0)
        return OD_STATEMENT_PART;
    if (has_larger_part(sentence))
        return OD_STATEMENT_EXCEEDS;
    if (asked || od_means(of_part, OD_CLAIM_AGAINST) || od_means(means, OD_CLAIM_ADVISED))
        return OD_STATEMENT_AGAINST;
    if (amount && (od_means(before, OD_CLAIM_BOUND) || od_means(after, OD_CLAIM_WANTED)))
        return OD_STATEMENT_BOUND;
    if (amount && (od_means(of_part, OD_CLAIM_CHANGED) || od_view_has(sentence, OD_VIEW("->")) ||
                   od_view_has(sentence, OD_VIEW("\xe2\x86\x92"))))
        return OD_STATEMENT_CHANGED;
    if (amount && !(means & owners) && !(named & places) &&
        !(od_mention_phrase_means(sentence) & places))
        return OD_STATEMENT_UNOWNED;
    return named != 0 || !amount ? OD_STATEMENT_GOOD : OD_STATEMENT_UNMEASURED;
}
