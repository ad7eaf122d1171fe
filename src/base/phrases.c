#include "base/phrases.h"

#include "base/mask_digits.h"

static bool stands(const struct od_phrase *phrase, struct od_view rest)
{
    size_t k = 0;
    while (k < phrase->n && k < rest.n && od_lower(rest.p[k]) == phrase->text[k])
        k++;
    return k == phrase->n &&
           (k == rest.n || !od_is_word(phrase->text[k - 1]) || !od_is_word(rest.p[k]));
}

static void note(struct od_phrases *found, const struct od_phrase *phrase, size_t at)
{
    if (found->n == OD_COUNT_OF(found->found))
        return;
    found->lists |= phrase->lists;
    found->found[found->n].at = (uint16_t)at;
    found->found[found->n].end = (uint16_t)(at + phrase->n);
    found->found[found->n++].lists = phrase->lists;
}

/* Finds the phrases at the start of the remaining text. */
static void find_at(struct od_phrases *found, const struct od_phrase_table *table,
                    struct od_view rest)
{
    const uint16_t *from = &table->from[od_phrase_bucket(rest.p)];
    if (from[0] == from[1])
        return;
    uint32_t head = od_head_of(rest.p, rest.n);
    for (size_t k = from[0]; k < from[1]; k++)
        if ((head & table->all[k].mask) == table->all[k].head && stands(&table->all[k], rest))
            note(found, &table->all[k], (size_t)(rest.p - found->text.p));
}

void od_phrases_find(struct od_phrases *found, const struct od_phrase_table *table,
                     struct od_view text)
{
    found->text = text;
    found->lists = 0;
    found->n = 0;
    size_t n = text.n < UINT16_MAX ? text.n : UINT16_MAX;
    uint64_t inside = 0; /* end of the current word; no phrase begins before it */
    text = od_view_head(text, n);
    for (size_t from = 0; from + 1 < n; from += 64) {
        uint64_t word = od_word_bits(od_view_from(text, from));
        uint64_t begins = ~word | ~(word << 1 | inside);
        inside = word >> 63;
        for (; begins != 0; begins &= begins - 1) {
            size_t at = from + (size_t)__builtin_ctzll(begins);
            if (at + 1 >= n)
                break;
            find_at(found, table, od_view_from(text, at));
        }
    }
}

size_t od_phrases_at(const struct od_phrases *found, struct od_view part, uint64_t lists)
{
    if (part.n == 0 || (found->lists & lists) == 0)
        return OD_VIEW_NONE;
    size_t from = (size_t)(part.p - found->text.p), end = from + part.n;
    for (size_t i = 0; i < found->n; i++)
        if ((found->found[i].lists & lists) && found->found[i].at >= from &&
            found->found[i].end <= end)
            return found->found[i].at - from;
    return OD_VIEW_NONE;
}
