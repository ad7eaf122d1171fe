/*
 * The index of the prefilter. Each literal is represented by one window, its rarest run of bytes:
 *
 *   far    7 bytes, for literals of 7 bytes or more. One of the window's four grams of 4 bytes
 *          begins at a multiple of 4, so only those positions of a text are examined.
 *   near   4 bytes, for literals of 4 to 6 bytes. One of its two grams of 3 bytes begins at an even
 *          position.
 *   pair   2 bytes, for shorter literals (a single byte is indexed with every possible next byte).
 * The 3 bytes at an even position contain it.
 *
 * A gram leads to windows, a window to the literals that contain it. The index is read-only; the
 * index of the shipped rules is generated when the project is built (scan/literals.h).
 */
#pragma once

#include "base/base.h"

/* Number of bytes before and after a position that the functions below may read. */
enum { OD_WINDOW_FRONT = 4, OD_WINDOW_BEHIND = 16 };

enum od_window_kind { OD_WINDOW_FAR, OD_WINDOW_NEAR, OD_WINDOW_PAIR };

/* A literal, found by its window. */
struct od_window_entry {
    uint64_t key;         /* bytes of the window, with its kind in the lowest byte */
    uint64_t probe, mask; /* up to eight bytes of the literal, and a mask of the used ones */
    uint32_t id;          /* index of the literal */
    uint32_t text, n;     /* offset of the literal in the texts of the index, and its length */
    uint32_t at;          /* offset of the window in the literal */
    uint32_t probe_at;    /* offset of the probe in the literal */
};

/* A set of grams or windows, with false positives (a Bloom filter). */
struct od_gram_set {
    const uint32_t *bits; /* indexed by hash */
    unsigned shift;
};

struct od_window_set {
    const uint64_t *bits; /* indexed by hash */
    unsigned shift;
};

struct od_filter_index {
    struct od_gram_set far_grams, near_grams;
    struct od_window_set far, near;
    const uint64_t *pairs;                 /* one bit for each pair */
    const struct od_window_entry *entries; /* sorted by the hash of their keys */
    size_t n;
    const uint32_t *first; /* first entry of each hash; their number at the end */
    const char *texts;     /* texts of all literals */
};

/* Makes an index in arena. */
struct od_filter_index od_filter_index_new(const struct od_view *literals, size_t n,
                                           struct od_arena *arena);

/* ---- bytes at a position; a window is shifted to make space for its kind ---- */

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

/* ---- tests for membership ---- */

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

/* ---- the literals of a window ---- */

enum { OD_WINDOW_BUCKETS = 13 /* number of bits */, OD_PAIR_WORDS = (1 << 16) / 64 };

static inline size_t od_window_bucket(uint64_t key)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - OD_WINDOW_BUCKETS);
}

/* Can the literal be at p? Eight bytes from its probe on must be readable. */
static inline bool od_window_entry_fits(const struct od_window_entry *entry, const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p + entry->probe_at, sizeof bytes);
    return ((bytes ^ entry->probe) & entry->mask) == 0;
}
