#include "tests/unit/readers/feed.h"

#include <string.h>

extern const struct od_reader od_reader_bfc;

static const struct od_place nowhere;

/* An own copy of a vector of the emitted dump. */
#define COPY(vec)                                                        \
    do {                                                                 \
        size_t bytes_ = (vec)->n * sizeof *(vec)->items;                 \
        void *items_ = od_mem_alloc((vec)->n + 1, sizeof *(vec)->items); \
        if (bytes_ > 0)                                                  \
            memcpy(items_, (vec)->items, bytes_);                        \
        (vec)->items = items_;                                           \
        (vec)->room = (vec)->n + 1;                                      \
    } while (0)

static void keep_dump(void *self, const struct od_event *event)
{
    struct feed *feed = self;
    if (event->kind != OD_EV_DUMP)
        return;
    struct od_dump dump = *event->dump;
    COPY(&dump.chunks);
    COPY(&dump.details);
    COPY(&dump.regions);
    COPY(&dump.bins);
    COPY(&dump.summary);
    od_vec_push(&feed->dumps, dump);
}

void feed_begin(struct feed *feed)
{
    *feed = (struct feed){.arena = od_arena_new()};
    feed->reading = od_reading_begin(&od_reader_bfc, feed->arena);
}

void feed_text(struct feed *feed, struct od_view text)
{
    const struct od_sink sink = {keep_dump, feed};
    struct od_view one;
    while (od_view_cut(&text, '\n', &one)) {
        struct od_line line = {.text = one,
                               .at = {.nlines = 1, .line = ++feed->line, .offset = feed->line * 9},
                               .lane = 7,
                               .place = &nowhere};
        feed->taken = od_reading_line(&feed->reading, &line, true, &sink);
    }
}

void feed_end(struct feed *feed)
{
    const struct od_sink sink = {keep_dump, feed};
    od_reading_end(&feed->reading, &sink);
}

void feed_done(struct feed *feed)
{
    for (size_t i = 0; i < feed->dumps.n; i++)
        od_dump_done(&feed->dumps.items[i]);
    od_vec_done(&feed->dumps);
    od_reading_done(&feed->reading);
    od_arena_free(feed->arena);
}

/* ---- comparing ---- */

static const char *compare_details(const struct od_dump *dump, const struct od_chunk *chunk,
                                   const struct written_chunk *w)
{
    if (w->op == 0 && w->tag == 0)
        return chunk->details == 0 ? NULL : "details from nowhere";
    if (chunk->details == 0 || chunk->details > dump->details.n)
        return "no details";
    const struct od_chunk_details *details = &dump->details.items[chunk->details - 1];
    if (!od_view_eq_str(details->op, written_op(w)) ||
        !od_view_eq_str(details->tag, written_tag(w)) ||
        !od_view_eq_str(details->annotation, written_annotation(w)))
        return "op, tag or annotation";
    if (w->op > 0 && (!details->step.known || details->step.n != w->step ||
                      !details->action_count.known || details->action_count.n != w->action))
        return "step or action count";
    if (w->op > 0 && details->freed_at_count.known == w->in_use)
        return "freed at";
    return NULL;
}

static const char *compare_chunks(const struct od_dump *dump, const struct written_dump *w)
{
    if (dump->chunks.n != w->chunks.n)
        return "number of chunks";
    for (size_t i = 0; i < w->chunks.n; i++) {
        const struct od_chunk *a = &dump->chunks.items[i];
        const struct written_chunk *b = &w->chunks.items[i];
        uint32_t next = w->era <= ERA_TF113 ? OD_HANDLE_UNKNOWN : b->next;
        if (a->address != b->address || a->bytes != b->bytes || a->in_use != b->in_use)
            return "a chunk";
        if (a->next != next)
            return "a handle";
        if (a->line >= dump->at.nlines || (i > 0 && a->line <= dump->chunks.items[i - 1].line))
            return "the line of a chunk";
        const char *bad = compare_details(dump, a, b);
        if (bad)
            return bad;
    }
    return NULL;
}

static const char *compare_regions(const struct od_dump *dump, const struct written_dump *w)
{
    if (dump->regions.n != w->regions.n)
        return "number of regions";
    for (size_t i = 0; i < w->regions.n; i++) {
        const struct od_region *a = &dump->regions.items[i];
        const struct written_region *b = &w->regions.items[i];
        if (a->first_chunk != b->first || a->nchunks != b->n ||
            a->address != w->chunks.items[b->first].address)
            return "a region";
        if (w->era >= ERA_TF115 && (!a->ended || a->announced.n != b->bytes))
            return "the announcement of a region";
        if (w->era < ERA_TF115 && a->announced.known)
            return "an announcement from nowhere";
    }
    return NULL;
}

static const char *compare_bins(const struct od_dump *dump, const struct written_dump *w)
{
    if (dump->bins.n != WRITER_BINS)
        return "number of bins";
    for (size_t i = 0; i < WRITER_BINS; i++) {
        const struct od_bin_row *a = &dump->bins.items[i];
        const struct written_bin *b = &w->bins[i];
        if (a->free_only != (w->era == ERA_TF0) || a->min_bytes != UINT64_C(256) << i)
            return "form of a bin";
        if (a->free_only
                ? a->chunks != b->chunks - b->in_use
                : a->chunks != b->chunks || a->chunks_in_use != b->in_use ||
                      od_bytes_same(a->bytes, od_bytes_exact(b->bytes)) != OD_YES ||
                      od_bytes_same(a->bytes_in_use, od_bytes_exact(b->bytes_in_use)) != OD_YES)
            return "a bin";
    }
    return NULL;
}

static const char *compare_summary(const struct od_dump *dump, const struct written_dump *w)
{
    if (dump->summary.n != w->sizes.n)
        return "number of summary rows";
    for (size_t i = 0; i < w->sizes.n; i++)
        if (dump->summary.items[i].bytes != w->sizes.items[i].bytes ||
            dump->summary.items[i].count != w->sizes.items[i].count)
            return "a summary row";
    return od_bytes_same(dump->sum_total, od_bytes_exact(w->in_use)) == OD_YES ? NULL : "sum total";
}

static bool is_count(struct od_count count, uint64_t n)
{
    return count.known && count.n == n;
}

static const char *compare_stats(const struct od_dump *dump, const struct written_dump *w)
{
    const struct od_allocator_stats *stats = &dump->stats;
    if (!is_count(stats->limit, w->limit) || !is_count(stats->in_use, w->in_use) ||
        !is_count(stats->max_in_use, w->max_in_use) || !is_count(stats->num_allocs, w->allocs) ||
        !is_count(stats->max_alloc, w->max_alloc))
        return "stats";
    if (stats->largest_free_block.known != (w->era >= ERA_TF2))
        return "largest free block";
    bool has_pool = w->era >= ERA_TF115 && w->era != ERA_XLA2026;
    if (dump->pool.known != has_pool ||
        (has_pool && (dump->pool.n != w->pool || dump->memory_limit.n != w->limit)))
        return "pool";
    return od_view_eq_str(dump->occupancy, w->cells) ? NULL : "occupancy";
}

static const char *compare_header(const struct od_dump *dump, const struct written_dump *w)
{
    if (!dump->has_header || dump->cut_tail)
        return "head or tail";
    if (od_bytes_same(dump->requested, od_bytes_exact(w->request)) != OD_YES)
        return "request";
    if (w->era >= ERA_TF1 && !od_view_eq_str(dump->allocator, w->allocator))
        return "allocator";
    if (w->era >= ERA_TF115 && dump->rounded.n != (w->request + 255) / 256 * 256)
        return "rounded";
    if (w->era >= ERA_TF2 && !od_view_eq(dump->op, od_view_trim(od_view_of(w->op))))
        return "op";
    return NULL;
}

const char *feed_compare(const struct od_dump *dump, const struct written_dump *written)
{
    const char *(*const parts[])(const struct od_dump *, const struct written_dump *) = {
        compare_chunks,  compare_regions, compare_bins,
        compare_summary, compare_stats,   compare_header};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *bad = parts[i](dump, written);
        if (bad)
            return bad;
    }
    return NULL;
}
