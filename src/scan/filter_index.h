/*
 * What the prefilter looks for. Of each literal one window is chosen, its rarest bytes in a row:
 *
 *   far    7 bytes, of literals of 7 and more. Wherever it stands, one of its four grams of 4 bytes
 *          begins at a multiple of 4: only those places of a text are looked at.
 *   near   4 bytes, of literals of 4 to 6. One of its two grams of 3 bytes begins at an even place.
 *   pair   2 bytes, of shorter ones (a byte alone stands with any other behind it). An even place
 *          has it among its 3 bytes.
 *
 * A gram leads to windows, a window to the literals that have it. Read-only once made, or made when
 * the project is built (scan/literals.h).
 */
#pragma once

#include "base/base.h"

/* Bytes around a place that the functions below may look at. */
enum { OD_WINDOW_FRONT = 4, OD_WINDOW_BEHIND = 16 };

enum od_window_kind { OD_WINDOW_FAR, OD_WINDOW_NEAR, OD_WINDOW_PAIR };

/* A literal under its window. */
struct od_window_entry {
    uint64_t key;         /* the window, and its kind in the lowest byte */
    uint64_t probe, mask; /* eight of its bytes, of short ones all; which of them count */
    uint32_t id;          /* of the literal */
    uint32_t text, n;     /* the literal: where it is in the texts of the index, and its bytes */
    uint32_t at;          /* of the window in it */
    uint32_t probe_at;    /* of the probe in it */
};

/* Is a gram or a window in it: 0 or 1? Sometimes it says so of one that is not. */
struct od_gram_set {
    const uint32_t *bits; /* by hash */
    unsigned shift;
};

struct od_window_set {
    const uint64_t *bits; /* by hash */
    unsigned shift;
};

struct od_filter_index {
    struct od_gram_set far_grams, near_grams;
    struct od_window_set far, near;
    const uint64_t *pairs;                 /* bits, as they are */
    const struct od_window_entry *entries; /* by the hash of their keys */
    size_t n;
    const uint32_t *first; /* entry, by the hash of its key; one more at the end */
    const char *texts;     /* of the literals */
};

/* Lives as long as the arena. */
struct od_filter_index od_filter_index_new(const struct od_view *literals, size_t n,
                                           struct od_arena *arena);

/* ---- the bytes at a place; those of a window are shifted to make room for its kind ---- */

static inline uint32_t od_gram_far(const char *p)
{
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return le32toh(bytes);
}

static inline uint32_t od_gram_near(const char *p)
{
    return od_gram_far(p) << 8;
}

static inline uint64_t od_window_far(const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return le64toh(bytes) << 8;
}

static inline uint64_t od_window_near(const char *p)
{
    return (uint64_t)od_gram_far(p) << 8;
}

static inline uint64_t od_window_pair(const char *p)
{
    return (uint64_t)(od_gram_far(p) & 0xffff) << 8;
}

/* ---- is it in the set? ---- */

static inline unsigned od_gram_set_has(const struct od_gram_set *set, uint32_t gram)
{
    uint32_t hash = gram * UINT32_C(0x9e3779b1) >> set->shift;
    return set->bits[hash / 32] >> hash % 32 & 1;
}

static inline unsigned od_window_set_has(const struct od_window_set *set, uint64_t window)
{
    uint64_t hash = window * UINT64_C(0x9e3779b97f4a7c15) >> set->shift;
    return (unsigned)(set->bits[hash / 64] >> hash % 64) & 1;
}

static inline unsigned od_pair_set_has(const uint64_t *pairs, uint64_t window)
{
    return (unsigned)(pairs[window >> 14] >> (window >> 8) % 64) & 1;
}

/* ---- the literals that may stand where a window does ---- */

enum { OD_WINDOW_BUCKETS = 13 /* bits */, OD_PAIR_WORDS = (1 << 16) / 64 };

static inline size_t od_window_bucket(uint64_t key)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - OD_WINDOW_BUCKETS);
}

/* May the literal stand at p? Where eight bytes behind its probe can be read. */
static inline bool od_window_entry_fits(const struct od_window_entry *entry, const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p + entry->probe_at, sizeof bytes);
    return ((bytes ^ entry->probe) & entry->mask) == 0;
}
