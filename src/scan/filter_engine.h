/*
 * What an engine of the prefilter is to filter.c. Private to this room.
 * scan has the contract of od_filter_scan.
 */
#ifndef OD_SCAN_FILTER_ENGINE_H
#define OD_SCAN_FILTER_ENGINE_H

#include "scan/filter.h"

struct od_filter_sink {
    void (*hit)(void *self, struct od_filter_hit hit);
    void *self;
};

struct od_filter_methods {
    const char *name;
    /* NULL when this engine cannot serve here. The literals outlive it. */
    void *(*create)(const struct od_view *literals, size_t n);
    void (*destroy)(void *engine);
    void (*scan)(void *engine, struct od_view text, const struct od_filter_sink *sink);
};

extern const struct od_filter_methods od_filter_portable;

/* Only where configure found the library. */
extern const struct od_filter_methods od_filter_hs;

#endif
