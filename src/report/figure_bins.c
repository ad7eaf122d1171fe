/* The bins of a BFC allocator: bytes and chunks by size, in use and free. */
#include "report/figure_parts.h"

enum { HEIGHT = 420 };

#define GREY "#A6A6A6"

/* 256 -> "256 B", 1048576 -> "1 MiB". */
static const char *size_word(struct od_arena *arena, uint64_t bytes)
{
    unsigned unit = 0;
    for (; bytes >= 1024; bytes /= 1024)
        unit++;
    return od_arena_printf(arena, "%u %s", (unsigned)bytes, od_bytes_unit_name(unit));
}

struct span {
    size_t first, last; /* bins that hold chunks */
    uint64_t most_bytes, most_chunks;
};

static void add_tics(struct od_sketch *sketch, const struct od_allocator *a,
                     const struct span *span, bool named)
{
    size_t bins = span->last - span->first;
    size_t step = bins > 12 ? 4 : bins > 5 ? 2 : 1;
    const char *comma = "";
    od_sketch_say(sketch, "set xtics ( \\");
    for (size_t i = span->first; i <= span->last; i += step, comma = ", ")
        od_sketch_say(sketch, "    %s'%s' %zu \\", comma,
                      named ? size_word(sketch->arena, a->bins[i].min_bytes) : "", i);
    od_sketch_say(sketch, "    )");
}

static void add_panels(struct od_sketch *sketch, const struct od_allocator *a,
                       const struct span *span)
{
    const char *used = od_share_color(OD_SHARE_WEIGHTS);
    od_sketch_say(sketch, "set lmargin 9\nset rmargin 4");
    od_sketch_say(sketch, "set xrange [%.1f:%.1f]", (double)span->first - 0.6,
                  (double)span->last + 0.6);
    od_sketch_say(sketch, "set multiplot");
    od_sketch_say(sketch, "set size 1,0.46\nset origin 0,0.54");
    od_sketch_y_axis(sketch, (double)span->most_bytes * 1.05, od_bytes_unit_name(sketch->unit));
    add_tics(sketch, a, span, false);
    od_sketch_say(sketch, "set bmargin 1\nset boxwidth 0.8");
    od_sketch_say(sketch,
                  "plot data using 1:($5/unit) with boxes linecolor rgb '%s', \\\n"
                  "    data using 1:(($5+$6/2)/unit):(0.4):($6/2/unit) with boxxyerror linecolor "
                  "rgb '" GREY "'",
                  used);
    od_sketch_say(sketch, "unset title\nset ylabel 'chunks'\n"
                          "set key below center horizontal Left reverse samplen 1.2");
    od_sketch_say(sketch, "set xlabel 'chunks from this size up to the next'");
    od_sketch_say(sketch, "set size 1,0.54\nset origin 0,0");
    add_tics(sketch, a, span, true);
    od_sketch_say(sketch, "set ytics autofreq\nset logscale y\nset yrange [0.7:%.6g]",
                  (double)(span->most_chunks < 10 ? 10 : span->most_chunks) * 1.6);
    od_sketch_say(sketch, "set tmargin 0.8\nset bmargin 5\nset boxwidth 0.38");
    od_sketch_say(sketch,
                  "plot data using ($1-0.2):($3 > 0 ? $3 : NaN) with boxes linecolor rgb '%s' "
                  "title 'in use', \\\n"
                  "    data using ($1+0.2):($4 > 0 ? $4 : NaN) with boxes linecolor rgb '" GREY
                  "' title 'free'",
                  used);
    od_sketch_say(sketch, "unset multiplot");
}

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
    struct od_sketch sketch = od_sketch_start(figures, arena, span.most_bytes);
    (void)od_sketch_block(&sketch, "bin, from bytes, chunks in use, free, bytes in use, free");
    for (size_t i = span.first; i <= span.last; i++) {
        const struct od_bin *bin = &a->bins[i];
        od_sketch_row(&sketch, "%zu %llu %llu %llu %llu %llu", i,
                      (unsigned long long)bin->min_bytes, (unsigned long long)bin->chunks_in_use,
                      (unsigned long long)(bin->chunks - bin->chunks_in_use),
                      (unsigned long long)bin->bytes_in_use,
                      (unsigned long long)(bin->bytes - bin->bytes_in_use));
    }
    add_panels(&sketch, a, &span);
    const char *device = od_figure_device(a->device, arena);
    struct od_figure words = {
        .name = "bins",
        .title = od_arena_printf(arena, "Chunks by size%s%s", *device ? ", " : "", device),
        .alt = "Two bar charts over the sizes of chunks: their bytes, and how many there are (on a "
               "logarithmic scale), each in use and free.",
        .height = HEIGHT};
    od_sketch_finish(&sketch, &words);
}
