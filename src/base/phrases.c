#include "base/phrases.h"

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

void od_phrases_find(struct od_phrases *found, const struct od_phrase_table *table,
                     struct od_view text)
{
    found->text = text;
    found->lists = 0;
    found->n = 0;
    size_t n = text.n < UINT16_MAX ? text.n : UINT16_MAX;
    bool word = false;
    for (size_t i = 0; i + 1 < n; i++) {
        bool inside = word;
        word = od_is_word(text.p[i]);
        if (inside && word)
            continue;
        const uint16_t *from = &table->from[od_phrase_bucket(text.p + i)];
        if (from[0] == from[1])
            continue;
        uint32_t head = od_head_of(text.p + i, n - i);
        for (size_t k = from[0]; k < from[1]; k++)
            if ((head & table->all[k].mask) == table->all[k].head &&
                stands(&table->all[k], (struct od_view){text.p + i, n - i}))
                note(found, &table->all[k], i);
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
