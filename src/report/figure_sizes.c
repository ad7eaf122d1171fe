/* The sizes of the chunks in use: how much each holds in all. */
#include "report/figure_parts.h"

#include "base/vec.h"
#include "report/words.h"

#include <inttypes.h>
#include <math.h>

enum { HEIGHT = 330, NAMED = 3, STEPS = 12 /* of an octave: nearer ones cannot be told apart */ };

struct spike {
    uint64_t bytes, count, total; /* of the largest size in it; in all */
    enum od_share share;
};

struct spikes {
    OD_VEC(struct spike) list;
    uint64_t least, most, highest;
    bool used[OD_SHARES];
};

static long step_of(uint64_t bytes)
{
    return lround(log2((double)bytes) * STEPS);
}

/* Sizes come largest total first: the first of a spike names it. */
static void add_size(struct spikes *spikes, const struct od_size *size, enum od_share share)
{
    for (size_t i = 0; i < spikes->list.n; i++) {
        struct spike *spike = &spikes->list.items[i];
        if (spike->share == share && step_of(spike->bytes) == step_of(size->bytes)) {
            spike->total += size->total;
            spike->count += size->count;
            return;
        }
    }
    od_vec_push(&spikes->list, ((struct spike){size->bytes, size->count, size->total, share}));
}

static void gather(struct spikes *spikes, const struct od_shares *shares)
{
    const struct od_allocator *a = shares->allocator;
    for (size_t i = 0; i < a->nsizes; i++) {
        const struct od_size *size = &a->sizes[i];
        if (size->bytes == 0)
            continue;
        enum od_share share = od_shares_find(shares, size->bytes);
        add_size(spikes, size, share);
        spikes->used[share] = true;
        spikes->least =
            spikes->least == 0 || size->bytes < spikes->least ? size->bytes : spikes->least;
        spikes->most = size->bytes > spikes->most ? size->bytes : spikes->most;
    }
    for (size_t i = 0; i < spikes->list.n; i++)
        if (spikes->list.items[i].total > spikes->highest)
            spikes->highest = spikes->list.items[i].total;
}

static unsigned shares_used(const struct spikes *spikes)
{
    unsigned n = 0;
    for (unsigned share = 0; share < OD_SHARES; share++)
        n += spikes->used[share];
    return n;
}

static void add_axes(struct od_sketch *sketch, const struct spikes *spikes)
{
    static const char *const tics = "'256 B' 2**8, '4 KiB' 2**12, '64 KiB' 2**16, '1 MiB' 2**20, "
                                    "'16 MiB' 2**24, '256 MiB' 2**28, '4 GiB' 2.0**32, "
                                    "'64 GiB' 2.0**36";
    od_sketch_say(sketch, "set logscale x 2\nset xrange [%.9g:%.9g]", (double)spikes->least / 2,
                  (double)spikes->most * 3);
    od_sketch_say(sketch, "set xtics ( %s )\nset xlabel 'size of a chunk'", tics);
    od_sketch_y_axis(sketch, 1.12 * (double)spikes->highest,
                     od_arena_printf(sketch->arena, "%s in all", od_bytes_unit_name(sketch->unit)));
    od_sketch_say(sketch, "set rmargin 3\nset bmargin %.1f",
                  3.8 + 1.2 * ((shares_used(spikes) + 2) / 3));
    od_sketch_say(sketch, "set key below center horizontal Left reverse samplen 1.2 maxcols 3");
}

/* Where a size stands on the axis, 0 to 1. */
static double place_of(const struct spikes *spikes, uint64_t bytes)
{
    double first = log2((double)spikes->least / 2), last = log2((double)spikes->most * 3);
    return (log2((double)bytes) - first) / (last - first);
}

/* Is there room for a label so wide at the top of that spike, to that side? */
static bool has_room(const struct spikes *spikes, size_t spike, double width)
{
    const struct spike *own = &spikes->list.items[spike];
    double at = place_of(spikes, own->bytes);
    if (at + width < 0 || at + width > 1)
        return false;
    for (size_t i = 0; i < spikes->list.n; i++) {
        const struct spike *other = &spikes->list.items[i];
        double away = (place_of(spikes, other->bytes) - at) / width;
        bool reaches = (double)other->total > (double)own->total - 0.07 * (double)spikes->highest;
        if (i != spike && reaches && away >= 0 && away <= 1)
            return false;
    }
    return true;
}

static void add_names(struct od_sketch *sketch, const struct spikes *spikes)
{
    char text[OD_BYTES_TEXT];
    double last = HUGE_VAL; /* labels of one height would meet */
    for (size_t i = 0; i < NAMED && i < spikes->list.n; i++) {
        const struct spike *spike = &spikes->list.items[i];
        double height = (double)spike->total / (double)spikes->highest;
        const char *words =
            od_arena_printf(sketch->arena, "%s × %s", od_words_count(sketch->arena, spike->count),
                            od_bytes_print_u64(spike->bytes, text));
        double width = od_sketch_text_width(words) * 1.3; /* of the axis, not the drawing */
        bool right = has_room(spikes, i, width);
        if (height < 0.1 || last - height < 0.08 || (!right && !has_room(spikes, i, -width)))
            continue;
        last = height;
        od_sketch_say(sketch, "set label '%s' at %.9g,%.9g %s front", words, (double)spike->bytes,
                      od_sketch_in_unit(sketch, (double)spike->total),
                      right ? "left offset 0.6,-0.3" : "right offset -0.6,-0.3");
    }
}

void od_figure_sizes(struct od_figures *figures, const struct od_report *report,
                     const struct od_allocator *a, struct od_arena *arena)
{
    struct od_shares shares = od_shares_of(report, a, arena);
    struct spikes spikes = {0};
    gather(&spikes, &shares);
    if (spikes.list.n > 1) {
        struct od_sketch sketch = od_sketch_start(figures, arena, spikes.highest);
        add_axes(&sketch, &spikes);
        add_names(&sketch, &spikes);
        od_sketch_say(&sketch, "plot \\");
        for (unsigned share = 0; share < OD_SHARES; share++) {
            if (!spikes.used[share])
                continue;
            const char *name = od_shares_name(&shares, (enum od_share)share);
            unsigned block = od_sketch_block(
                &sketch, od_arena_printf(arena, "%s: size, chunks, bytes in all", name));
            for (size_t i = 0; i < spikes.list.n; i++) {
                const struct spike *spike = &spikes.list.items[i];
                if (spike->share == share)
                    od_sketch_row(&sketch, "%" PRIu64 " %" PRIu64 " %" PRIu64, spike->bytes,
                                  spike->count, spike->total);
            }
            od_sketch_say(&sketch,
                          "    data index %u using 1:($3/unit) with impulses linewidth 5 linecolor "
                          "rgb '%s' title '%s', \\",
                          block, od_shares_color(&shares, (enum od_share)share), name);
        }
        od_sketch_say(&sketch, "    NaN notitle");
        struct od_figure words = {
            .name = "sizes",
            .title = "Sizes of the chunks in use",
            .alt =
                "A bar for each size of chunk in use: the total bytes of all chunks of that size.",
            .height = HEIGHT};
        od_sketch_finish(&sketch, &words);
    }
    od_vec_done(&spikes.list);
}
