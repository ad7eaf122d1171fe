/*
 * The prefilter: where do any of many literals occur? It may lie in one direction only: every
 * occurrence is reported, whatever engine is below (our own, and for large inputs
 * Hyperscan/Vectorscan where configure found it); both give the same hits.
 */
#ifndef OD_SCAN_FILTER_H
#define OD_SCAN_FILTER_H

#include "base/view.h"

#include <stddef.h>
#include <stdint.h>

enum od_filter_engine {
    OD_FILTER_BEST,     /* the one that is ready at once; after some MB the one for large inputs */
    OD_FILTER_PORTABLE, /* our own */
    OD_FILTER_LARGE     /* the one for large inputs from the start */
};

struct od_filter_hit {
    uint32_t literal; /* index */
    size_t end;       /* offset just behind the occurrence */
};

struct od_filter;

/* Literals are compared byte by byte; an empty one is a mistake of ours. They are copied. */
struct od_filter *od_filter_new(const struct od_view *literals, size_t n,
                                enum od_filter_engine engine);
void od_filter_free(struct od_filter *filter);

/*
 * Calls hit for each occurrence in text, in order of their ends (ties in any order). Overlapping
 * ones are all reported.
 */
void od_filter_scan(struct od_filter *filter, struct od_view text,
                    void (*hit)(void *self, struct od_filter_hit hit), void *self);

/* "hyperscan" or "portable". */
const char *od_filter_engine_name(const struct od_filter *filter);

#endif
