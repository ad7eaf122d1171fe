/*
 * The prefilter: finds the occurrences of many literals in a text. It misses none.
 */
#pragma once

#include "base/base.h"

struct od_filter_hit {
    uint32_t literal; /* index */
    size_t end;       /* offset of the byte after the occurrence */
};

typedef void od_filter_hit_fn(void *self, struct od_filter_hit hit);

struct od_filter;

/* Literals are compared byte by byte and must not be empty. */
struct od_filter *od_filter_new(const struct od_view *literals, size_t n);
/* Makes a filter of literals that are already indexed (filter_index.h). */
struct od_filter_index;
struct od_filter *od_filter_of(const struct od_filter_index *index);
void od_filter_free(struct od_filter *filter);

/*
 * Calls hit for each occurrence in text, in order of their ends (ties in any order), including
 * overlapping ones.
 */
void od_filter_scan(struct od_filter *filter, struct od_view text, od_filter_hit_fn *hit,
                    void *self);
