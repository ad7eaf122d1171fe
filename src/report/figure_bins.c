/* Figure: the bins of a BFC allocator, with bytes and chunks by size, in use and free. */
#include "report/figure_parts.h"

enum { HEIGHT = 420 };

struct span {
    size_t first, last; /* bins that hold chunks */
    uint64_t most_bytes, most_chunks;
};

/* False when no bin holds a chunk. */
static bool measure(const struct od_allocator *a, struct span *span)
{
    span->first = OD_BINS;
    for (size_t i = 0; i < OD_BINS; i++) {
        const struct od_bin *bin = &a->bins[i];
        if (bin->chunks == 0)
            continue;
        span->first = i < span->first ? i : span->first;
        span->last = i;
        span->most_bytes = bin->bytes > span->most_bytes ? bin->bytes : span->most_bytes;
        span->most_chunks = bin->chunks > span->most_chunks ? bin->chunks : span->most_chunks;
    }
    return span->first < OD_BINS;
}

void od_figure_bins(struct od_figures *figures, const struct od_allocator *a,
                    struct od_arena *arena)
{
    struct span span = {0};
    if (a->dump.family != OD_FAMILY_BFC || !measure(a, &span))
        return;
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, span.most_bytes);
    (void)od_gnuplot_block(&plot, "bin, from bytes, chunks in use, free, bytes in use, free");
    for (size_t i = span.first; i <= span.last; i++) {
        const struct od_bin *bin = &a->bins[i];
        od_gnuplot_row(&plot, "%zu %llu %llu %llu %llu %llu", i, (unsigned long long)bin->min_bytes,
                       (unsigned long long)bin->chunks_in_use,
                       (unsigned long long)(bin->chunks - bin->chunks_in_use),
                       (unsigned long long)bin->bytes_in_use,
                       (unsigned long long)(bin->bytes - bin->bytes_in_use));
    }
    od_gnuplot_say(&plot, "first = %zu\nlast = %zu\ntop = %.9g\nmost_chunks = %llu.0\nused = '%s'",
                   span.first, span.last, 1.05 * (double)span.most_bytes,
                   (unsigned long long)(span.most_chunks < 10 ? 10 : span.most_chunks),
                   od_share_words(OD_SHARE_WEIGHTS)->color);
    od_gnuplot_run(&plot, "bins");
    const char *device = od_figure_device(a->device, arena);
    struct od_figure words = {
        .name = "bins",
        .title = od_arena_printf(arena, "Chunks by size%s%s", *device ? ", " : "", device),
        .alt = "Two bar charts over the sizes of chunks: their bytes, and how many there are (on a "
               "logarithmic scale), each in use and free.",
        .height = HEIGHT};
    od_gnuplot_finish(&plot, &words);
}
