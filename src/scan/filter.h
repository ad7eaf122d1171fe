/*
 * The prefilter: finds all occurrences of many literals in a text.
 */
#pragma once

#include "base/base.h"

struct od_filter_hit {
    uint32_t literal; /* index of the literal */
    size_t end;       /* offset of the byte after the occurrence */
};

typedef void od_filter_hit_fn(void *self, struct od_filter_hit hit);

struct od_filter;

/* Makes a filter. Literals must not be empty and are compared byte by byte. */
struct od_filter *od_filter_new(const struct od_view *literals, size_t n);
/* Makes a filter from an index of literals (filter_index.h). */
struct od_filter_index;
struct od_filter *od_filter_of(const struct od_filter_index *index);
void od_filter_free(struct od_filter *filter);

/*
 * Calls hit for each occurrence in text, including overlapping ones, in order of their ends (equal
 * ends in any order).
 */
void od_filter_scan(struct od_filter *filter, struct od_view text, od_filter_hit_fn *hit,
                    void *self);
