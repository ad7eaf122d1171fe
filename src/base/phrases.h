/*
 * Phrases of many lists, found in one pass: without regard to case, at the beginning and the end of
 * words; bytes beyond ASCII anywhere. Tables are made from files of lists by phrases.awk, the rule
 * phrases of Makefile.am.
 */
#pragma once

#include "base/base.h"

#define OD_LIST(number) (UINT64_C(1) << (number))

struct od_phrase {
    const char *text; /* in small letters */
    size_t n;
    uint64_t lists; /* it stands in */
};

/* In the order of their bytes. */
struct od_phrase_table {
    const struct od_phrase *all;
    struct {
        uint16_t from, end; /* phrases that begin with the byte */
        uint32_t seconds;   /* a bit for each byte that may follow, by its five lowest bits */
    } by_first[256];
};

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
