/*
 * Filters in three steps, each of which passes about a tenth of its input: grams at every second or
 * fourth position of the text, windows around the grams found, literals of the windows
 * (filter_index.h). The first two steps store each position and then advance by 0 or 1, which
 * avoids unpredictable branches.
 */
#include "scan/filter.h"

#include "scan/filter_index.h"

enum {
    CHUNK = 1 << 14,
    FAR_STEP = 4,
    NEAR_STEP = 2,
    FRONT = OD_WINDOW_FRONT,
    BEHIND = OD_WINDOW_BEHIND
};

/* Positions in a chunk. One more than the maximum, because rejected ones are stored too. */
struct places {
    size_t n;
    uint16_t at[CHUNK / NEAR_STEP + 1];
};

/* Windows in a chunk: up to four around each position. */
struct windows {
    size_t n;
    uint16_t at[4 * (CHUNK / NEAR_STEP) + 1];
};

struct od_filter {
    struct od_filter_index index;
    struct od_arena *arena; /* owns the index; NULL = the caller owns it */
    struct od_view text;    /* the text being scanned */
    size_t start;           /* offset of the chunk in the text */
    struct places far, near;
    struct windows far_windows, near_windows;
    OD_VEC(struct od_filter_hit) hits;
    /* copy of the first or last chunk of the text, with space around it */
    char padded[FRONT + CHUNK + BEHIND];
};

struct od_filter *od_filter_new(const struct od_view *literals, size_t n)
{
    struct od_arena *arena = od_arena_new();
    struct od_filter_index index = od_filter_index_new(literals, n, arena);
    struct od_filter *filter = od_filter_of(&index);
    filter->arena = arena;
    return filter;
}

struct od_filter *od_filter_of(const struct od_filter_index *index)
{
    struct od_filter *filter = od_mem_alloc(1, sizeof *filter);
    filter->index = *index;
    return filter;
}

void od_filter_free(struct od_filter *filter)
{
    if (!filter)
        return;
    od_arena_free(filter->arena);
    od_vec_done(&filter->hits);
    od_mem_free(filter);
}

/* Returns the bytes of the chunk, with readable bytes before and after them. */
static const char *readable(struct od_filter *filter, size_t n)
{
    size_t start = filter->start;
    const char *p = filter->text.p;
    if (start >= FRONT && filter->text.n - start - n >= BEHIND)
        return p + start;
    size_t before = start < FRONT ? start : FRONT;
    size_t behind = filter->text.n - start - n < BEHIND ? filter->text.n - start - n : BEHIND;
    char *to = filter->padded;
    memset(to, 0, FRONT);
    memcpy(to + FRONT - before, p + start - before, before + n + behind);
    memset(to + FRONT + n + behind, 0, BEHIND - behind);
    return to + FRONT;
}

static void find_grams(struct od_filter *filter, const char *p, size_t n)
{
    const struct od_gram_set far_grams = filter->index.far_grams;
    const struct od_gram_set near_grams = filter->index.near_grams;
    uint16_t *far_at = filter->far.at, *near_at = filter->near.at;
    size_t nfar = 0, nnear = 0;
    for (size_t at = 0; at < n; at += FAR_STEP) {
        far_at[nfar] = (uint16_t)at;
        nfar += od_gram_set_has(&far_grams, od_gram_far(p + at));
        near_at[nnear] = (uint16_t)at;
        nnear += od_gram_set_has(&near_grams, od_gram_near(p + at));
        near_at[nnear] = (uint16_t)(at + NEAR_STEP);
        nnear += od_gram_set_has(&near_grams, od_gram_near(p + at + NEAR_STEP));
    }
    filter->far.n = nfar;
    filter->near.n = nnear;
}

/* Set in offsets of windows for pairs. Offsets count from FRONT bytes before the chunk. */
enum { PAIR = 1 << 15 };

static void find_windows(struct od_filter *filter, const char *p)
{
    const struct od_filter_index index = filter->index;
    uint16_t *to = filter->far_windows.at;
    size_t n = 0;
    for (size_t i = 0; i < filter->far.n; i++) {
        const char *first = p + filter->far.at[i] - (FAR_STEP - 1);
        for (unsigned on = 0; on < FAR_STEP; on++) {
            to[n] = (uint16_t)(filter->far.at[i] + (size_t)(FRONT - (FAR_STEP - 1)) + on);
            n += od_window_set_has(&index.far, od_window_far(first + on));
        }
    }
    filter->far_windows.n = n;
    to = filter->near_windows.at;
    n = 0;
    for (size_t i = 0; i < filter->near.n; i++) {
        const char *at = p + filter->near.at[i];
        uint16_t place = (uint16_t)(filter->near.at[i] + FRONT);
        to[n] = (uint16_t)(place - 1);
        n += od_window_set_has(&index.near, od_window_near(at - 1));
        to[n] = place;
        n += od_window_set_has(&index.near, od_window_near(at));
        to[n] = PAIR | place;
        n += od_pair_set_has(index.pairs, od_window_pair(at));
        to[n] = (uint16_t)(PAIR | (place + 1));
        n += od_pair_set_has(index.pairs, od_window_pair(at + 1));
    }
    filter->near_windows.n = n;
}

/* Adds a hit, sorted by its end: at or near the end of the list. */
static void note(struct od_filter *filter, uint32_t id, size_t end)
{
    struct od_filter_hit hit = {.literal = id, .end = end};
    od_vec_push(&filter->hits, hit);
    size_t i = filter->hits.n - 1;
    for (; i > 0 && filter->hits.items[i - 1].end > end; i--)
        filter->hits.items[i] = filter->hits.items[i - 1];
    filter->hits.items[i] = hit;
}

/* Is the literal at that offset, which may be outside of the text? */
static bool stands_at(struct od_view text, size_t start, const struct od_window_entry *entry,
                      const char *literal)
{
    if (start > text.n || entry->n > text.n - start)
        return false;
    bool can_probe = text.n - start - entry->probe_at >= sizeof entry->probe;
    if (can_probe && !od_window_entry_fits(entry, text.p + start))
        return false;
    return (can_probe && entry->probe_at == 0) || memcmp(text.p + start, literal, entry->n) == 0;
}

/* Reports the literals whose window is at that offset of the text. */
static void compare(struct od_filter *filter, uint64_t key, size_t at)
{
    const uint32_t *first = &filter->index.first[od_window_bucket(key)];
    const struct od_window_entry *entry = filter->index.entries + first[0];
    const struct od_window_entry *end = filter->index.entries + first[1];
    for (; entry < end; entry++) {
        if (entry->key == key &&
            stands_at(filter->text, at - entry->at, entry, filter->index.texts + entry->text))
            note(filter, entry->id, at - entry->at + entry->n);
    }
}

static void compare_far(struct od_filter *filter, const char *p, size_t place)
{
    compare(filter, od_window_far(p + place - FRONT) | OD_WINDOW_FAR,
            filter->start + place - FRONT);
}

static void compare_near(struct od_filter *filter, const char *p, size_t place)
{
    const char *at = p + (place & ~(size_t)PAIR) - FRONT;
    uint64_t key =
        place & PAIR ? od_window_pair(at) | OD_WINDOW_PAIR : od_window_near(at) | OD_WINDOW_NEAR;
    compare(filter, key, filter->start + (size_t)(at - p));
}

/* Looks up the windows at each position in order, so that the hits are nearly sorted. */
static void find_literals(struct od_filter *filter, const char *p)
{
    const struct windows *far = &filter->far_windows, *near = &filter->near_windows;
    for (size_t i = 0, j = 0; i < far->n || j < near->n;) {
        if (j == near->n || (i < far->n && far->at[i] <= (near->at[j] & (PAIR - 1))))
            compare_far(filter, p, far->at[i++]);
        else
            compare_near(filter, p, near->at[j++]);
    }
}

/* Reports the hits that end at or before an offset. Hits of the next chunk end after it. */
static void give(struct od_filter *filter, size_t end, od_filter_hit_fn *hit, void *self)
{
    size_t n = 0;
    for (; n < filter->hits.n && filter->hits.items[n].end <= end; n++)
        hit(self, filter->hits.items[n]);
    filter->hits.n -= n;
    if (n > 0 && filter->hits.n > 0)
        memmove(filter->hits.items, filter->hits.items + n,
                filter->hits.n * sizeof *filter->hits.items);
}

void od_filter_scan(struct od_filter *filter, struct od_view text, od_filter_hit_fn *hit,
                    void *self)
{
    filter->text = text;
    filter->hits.n = 0;
    for (filter->start = 0; filter->start < text.n;) {
        size_t n = text.n - filter->start < CHUNK ? text.n - filter->start : CHUNK;
        const char *p = readable(filter, n);
        find_grams(filter, p, n);
        find_windows(filter, p);
        find_literals(filter, p);
        filter->start += n;
        give(filter, filter->start, hit, self);
    }
}
