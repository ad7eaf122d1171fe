#include "readers/measures/memory_words.h"

#include "base/word_table.h"

static const struct od_word_means entries[] = {
#include "readers/measures/memory_words.inc"
};

/* "MiB" is not split like camelCase. */
static bool begins_unit(struct od_view text)
{
    return text.n >= 3 && memchr("KMGT", text.p[0], 4) && text.p[1] == 'i' && text.p[2] == 'B' &&
           (text.n == 3 || !od_is_letter(text.p[3]));
}

static unsigned joined_words(struct od_view word);

bool od_memory_next_word(struct od_view *text, struct od_view *ret_word)
{
    size_t at = 0;
    while (at < text->n && !od_is_letter(text->p[at]))
        at++;
    if (at == text->n)
        return false;
    const char *p = text->p;
    size_t end = at + (begins_unit(od_view_from(*text, at)) ? strlen("MiB") : 1);
    while (end < text->n && od_is_letter(p[end])) {
        /* memAllocated; GPUMem, but RSSs stays whole */
        bool hump = od_is_upper(p[end]) && !od_is_upper(p[end - 1]);
        bool after_capitals = od_is_upper(p[end]) && end + 2 < text->n &&
                              od_is_letter(p[end + 1]) && !od_is_upper(p[end + 1]) &&
                              od_is_letter(p[end + 2]);
        if (hump || after_capitals)
            break;
        end++;
    }
    struct od_view word = od_view_head(od_view_from(*text, at), end - at);
    if (word.n > 6 && memchr("kmg", word.p[0], 3) && word.p[1] == 'b' &&
        joined_words(od_view_from(word, 2)) != OD_MW_UNKNOWN)
        end = at + 2; /* "kbmemused": the unit is the first word */
    *ret_word = od_view_head(od_view_from(*text, at), end - at);
    *text = od_view_from(*text, end);
    return true;
}

/* "memfree", "usedmem", "gpuram", "kbmemused": two words joined into one name. */
static unsigned joined_words(struct od_view word)
{
    static const struct od_view things[] = {{"memory", 6}, {"mem", 3}, {"heap", 4}, {"ram", 3}};
    const unsigned joined = OD_MW_DEVICE | OD_MW_HOST | OD_MW_PEAK | OD_MW_USED | OD_MW_ALLOCATED |
                            OD_MW_FREE | OD_MW_TOTAL | OD_MW_KEY;
    for (size_t i = 0; i < OD_COUNT_OF(things); i++) {
        struct od_view thing = things[i], other = {0};
        if (word.n < thing.n + 3)
            continue;
        if (od_view_starts(word, thing))
            other = od_view_from(word, thing.n);
        else if (od_view_ends(word, thing))
            other = od_view_head(word, word.n - thing.n);
        unsigned means = od_word_means(entries, OD_COUNT_OF(entries), other);
        if (other.n > 0 && means != 0 && (means & ~joined) == 0)
            return means | od_word_means(entries, OD_COUNT_OF(entries), thing);
    }
    return OD_MW_UNKNOWN;
}

unsigned od_memory_word(struct od_view word)
{
    unsigned means = od_word_means(entries, OD_COUNT_OF(entries), word);
    return means ? means : joined_words(word);
}

bool od_memory_is_unit(struct od_view word)
{
    struct od_bytes one;
    bool letter = word.n == 2 && word.p[1] == 'i'; /* accepted only directly after a number */
    return word.n >= 2 && word.n <= 9 && od_is_any(word.p[0], "KMGTkmgbB") && !letter &&
           od_bytes_parse_unit(OD_VIEW("1"), word, OD_UNIT_BINARY, &one);
}

bool od_memory_is_unit_at(struct od_view word, bool at_number)
{
    bool letter = word.n == 1 || (word.n == 2 && word.p[1] == 'i');
    return od_memory_is_unit(word) || (at_number && letter && memchr("KMGT", word.p[0], 4));
}

enum od_field od_memory_field(unsigned words, const char **ret_space)
{
    bool ram = (words & OD_MW_RAM) && !(words & OD_MW_DEVICE);
    bool host = ram || (words & (OD_MW_HOST | OD_MW_RSS | OD_MW_VIRTUAL));
    bool device = words & (OD_MW_DEVICE | OD_MW_ALLOCATED);
    *ret_space = host ? "host" : device ? "device" : NULL;
    if (words & (OD_MW_FOREIGN | OD_MW_UNKNOWN))
        return OD_F_NONE;
    bool peak = words & (OD_MW_PEAK | OD_MW_MAX);
    if (words & OD_MW_VIRTUAL)
        return peak ? OD_F_NONE : OD_F_VIRTUAL;
    bool machine = (words & OD_MW_RAM) && !(words & OD_MW_MEMORY); /* "System RSS" */
    if (words & OD_MW_RSS)
        return peak ? OD_F_PEAK : machine ? OD_F_IN_USE : OD_F_RSS;
    const unsigned allocator = OD_MW_ALLOCATED | OD_MW_RESERVED;
    if (!(words & (OD_MW_MEMORY | OD_MW_DEVICE | allocator)))
        return OD_F_NONE;
    if (words & OD_MW_RESERVED)
        return peak ? OD_F_NONE : OD_F_RESERVED;
    if (peak)
        return OD_F_PEAK;
    /* "total memory available": what there is, or what is left of it */
    if ((words & OD_MW_FREE) && (words & OD_MW_TOTAL))
        return OD_F_NONE;
    if (words & OD_MW_FREE)
        return OD_F_FREE;
    if ((words & OD_MW_TOTAL) && !(words & (OD_MW_USED | OD_MW_ALLOCATED)))
        return OD_F_CAPACITY;
    return words & (OD_MW_MEMORY | OD_MW_USED | OD_MW_ALLOCATED) ? OD_F_IN_USE : OD_F_NONE;
}
