/*
 * Finds the phrases of many lists in one pass. Case is ignored. A phrase begins and ends at word
 * boundaries; next to non-ASCII bytes there is no boundary test. phrases.awk generates the tables
 * from the files of lists (rule "phrases" in Makefile.am).
 */
#pragma once

#include "base/base.h"

#define OD_LIST(number) (UINT64_C(1) << (number))

struct od_phrase {
    const char *text;    /* lower case, at least two bytes */
    uint32_t head, mask; /* od_head_of of the text, and a mask of the bytes that are compared */
    size_t n;
    uint64_t lists; /* bit set of the lists that contain the phrase */
};

enum { OD_PHRASE_BUCKETS = 32 * 32 };

/* All phrases, sorted by bucket. */
struct od_phrase_table {
    const struct od_phrase *all;
    /* index of the first phrase of each bucket; the last element is the number of phrases */
    uint16_t from[OD_PHRASE_BUCKETS + 1];
};

/* Bucket of the first two bytes; upper and lower case share a bucket. */
static inline unsigned od_phrase_bucket(const char *text)
{
    return ((unsigned char)text[0] % 32U) * 32 + (unsigned char)text[1] % 32U;
}

/* The phrases found in a text. Only the first 64 KB and some phrases are examined. */
struct od_phrases {
    struct od_view text;
    uint64_t lists; /* bit set of the lists of all found phrases */
    size_t n;
    struct {
        uint16_t at, end;
        uint64_t lists;
    } found[512];
};

void od_phrases_find(struct od_phrases *found, const struct od_phrase_table *table,
                     struct od_view text);

/* Offset of the first phrase from one of the lists within a part of the text, or OD_VIEW_NONE. */
size_t od_phrases_at(const struct od_phrases *found, struct od_view part, uint64_t lists);
