/*
 * Phrases of many lists, found in one pass: without regard to case, at the beginning and the end of
 * words; bytes beyond ASCII anywhere. Tables are made from files of lists by phrases.awk, the rule
 * phrases of Makefile.am.
 */
#pragma once

#include "base/base.h"

#define OD_LIST(number) (UINT64_C(1) << (number))

struct od_phrase {
    const char *text;    /* in small letters, two bytes or more */
    uint32_t head, mask; /* od_head_of it; which of its bytes count */
    size_t n;
    uint64_t lists; /* it stands in */
};

enum { OD_PHRASE_BUCKETS = 32 * 32 };

/* In the order of their buckets. */
struct od_phrase_table {
    const struct od_phrase *all;
    uint16_t from[OD_PHRASE_BUCKETS + 1]; /* of each bucket; one more at the end */
};

/* By the first two bytes: letters of one kind, small or capital, go together. */
static inline unsigned od_phrase_bucket(const char *text)
{
    return ((unsigned char)text[0] % 32U) * 32 + (unsigned char)text[1] % 32U;
}

/* Those of a text. What stands behind its first 64 KB, or behind so many, is not among them. */
struct od_phrases {
    struct od_view text;
    uint64_t lists; /* of all of them */
    size_t n;
    struct {
        uint16_t at, end;
        uint64_t lists;
    } found[512];
};

void od_phrases_find(struct od_phrases *found, const struct od_phrase_table *table,
                     struct od_view text);

/* The first place in a part of the text where a phrase of one of the lists stands, or
 * OD_VIEW_NONE. */
size_t od_phrases_at(const struct od_phrases *found, struct od_view part, uint64_t lists);
