/*
 * Figure: the memory map. An allocator's address space with its regions in one line, the owner of
 * each stretch, and the request to scale next to the largest hole.
 *
 * A stretch too narrow to be seen is drawn together with its neighbours, as a column filled by the
 * share of bytes in use.
 */
#include "report/figure_parts.h"

#include "report/words.h"

#include <math.h>

enum { COLUMNS = 400, BORDERS_MOST = 24, HEIGHT = 295 };

struct stretch {
    uint64_t start, bytes;
    uint64_t by_share[OD_SHARES];
};

struct map {
    const struct od_allocator *a;
    struct od_shares shares;
    OD_VEC(struct stretch) stretches;
    uint64_t total[OD_SHARES];
    uint64_t pool, whole; /* bytes drawn; bytes of the axis, up to the limit if that is larger */
    uint64_t hole, hole_start;
    uint64_t borders[BORDERS_MOST]; /* addresses between regions, the first BORDERS_MOST */
    size_t nborders;                /* number of all borders */
};

static bool sum_up(struct map *map)
{
    const struct od_dump *dump = &map->a->dump;
    for (size_t i = 0; i < dump->chunks.n; i++)
        if (ckd_add(&map->pool, map->pool, dump->chunks.items[i].bytes))
            return false;
    bool to_limit = map->a->chunks_complete && map->a->limit.known && map->a->limit.n > map->pool;
    map->whole = to_limit ? map->a->limit.n : map->pool;
    return map->pool > 0;
}

/* Do all bytes of the stretch have this use? */
static bool is_pure(const struct stretch *s, enum od_share share)
{
    return s->by_share[share] == s->bytes;
}

static void add_chunk(struct map *map, uint64_t at, uint64_t bytes, enum od_share share)
{
    uint64_t narrow = map->whole / COLUMNS + 1;
    struct stretch *last =
        map->stretches.n > 0 ? &map->stretches.items[map->stretches.n - 1] : NULL;
    map->total[share] += bytes;
    if (!last || (!is_pure(last, share) && (last->bytes >= narrow || bytes >= narrow))) {
        od_vec_push(&map->stretches, (struct stretch){.start = at});
        last = &map->stretches.items[map->stretches.n - 1];
    }
    last->bytes += bytes;
    last->by_share[share] += bytes;
}

static void walk(struct map *map)
{
    const struct od_dump *dump = &map->a->dump;
    bool picky = dump->family != OD_FAMILY_BFC; /* not every hole can serve the request */
    uint64_t at = 0;
    size_t region = 0;
    for (size_t i = 0; i < dump->chunks.n; i++) {
        const struct od_chunk *chunk = &dump->chunks.items[i];
        for (; region < dump->regions.n && dump->regions.items[region].first_chunk <= i; region++)
            if (region > 0) {
                if (map->nborders < BORDERS_MOST)
                    map->borders[map->nborders] = at;
                map->nborders++;
            }
        bool barred = picky && region > 0 && dump->regions.items[region - 1].barred;
        if (!chunk->in_use && !barred && chunk->bytes > map->hole) {
            map->hole = chunk->bytes;
            map->hole_start = at;
        }
        add_chunk(map, at, chunk->bytes,
                  chunk->in_use ? od_shares_find(&map->shares, chunk->bytes) : OD_SHARE_FREE);
        at += chunk->bytes;
    }
}

/* One data block for each share: its position within each stretch, relative to the height. */
static void add_blocks(struct od_gnuplot_script *plot, const struct map *map)
{
    const char *end = "unset key";
    char text[OD_BYTES_TEXT];
    od_gnuplot_say(plot, "plot \\");
    for (unsigned share = 0; share < OD_SHARES; share++) {
        if (map->total[share] == 0)
            continue;
        unsigned block = od_gnuplot_block(
            plot, od_arena_printf(plot->arena, "%s: start, end, lower, upper edge, bytes",
                                  od_shares_name(&map->shares, (enum od_share)share)));
        OD_FOR_EACH (const struct stretch, s, map->stretches) {
            uint64_t below = 0;
            if (s->by_share[share] == 0)
                continue;
            for (unsigned k = 0; k < share; k++)
                below += s->by_share[k];
            od_gnuplot_row(plot, "%llu %llu %.4g %.4g %llu", (unsigned long long)s->start,
                           (unsigned long long)(s->start + s->bytes),
                           (double)below / (double)s->bytes,
                           (double)(below + s->by_share[share]) / (double)s->bytes,
                           (unsigned long long)s->by_share[share]);
        }
        (void)od_bytes_print_u64(map->total[share], text);
        if (share == OD_SHARE_FREE)
            od_gnuplot_say(plot, "    keyentry with boxes linecolor rgb '%s' title '%s %s', \\",
                           od_shares_color(&map->shares, share),
                           od_shares_name(&map->shares, (enum od_share)share), text);
        else
            od_gnuplot_say(
                plot,
                "    data index %u using (($1+$2)/2/unit):(($3+$4)/2):($1/unit):"
                "($2/unit+hair):3:4 with boxxyerror linecolor rgb '%s' title '%s %s', \\",
                block, od_shares_color(&map->shares, share),
                od_shares_name(&map->shares, (enum od_share)share), text);
    }
    od_gnuplot_say(plot, "    NaN notitle\n%s", end);
}

/* Labels the widest stretch of each share if the label fits: color alone does not identify a
 * share. */
static void add_names(struct od_gnuplot_script *plot, const struct map *map)
{
    for (unsigned share = 0; share < OD_SHARES; share++) {
        const struct stretch *widest = NULL;
        OD_FOR_EACH (const struct stretch, s, map->stretches)
            if (is_pure(s, share) && (!widest || s->bytes > widest->bytes))
                widest = s;
        const char *name = od_shares_name(&map->shares, (enum od_share)share);
        if (!widest ||
            (double)widest->bytes / (double)map->whole < od_gnuplot_text_width(name) * 1.15)
            continue;
        double middle = (double)widest->start + (double)widest->bytes / 2;
        bool on_page = share == OD_SHARE_FREE; /* faint colors: the page's text color */
        od_gnuplot_say(plot, "set label '%s' at %.6g,0.5 center front%s%s%s", name,
                       od_gnuplot_in_unit(plot, middle), on_page ? "" : " textcolor rgb '",
                       on_page ? "" : od_share_words(share)->ink, on_page ? "" : "'");
    }
}

/* Marks the largest free block, and the request to scale below it. */
static void add_marks(struct od_gnuplot_script *plot, const struct map *map)
{
    const struct od_allocator *a = map->a;
    struct od_bytes need = a->need.known ? a->need : a->requested;
    double whole = od_gnuplot_in_unit(plot, (double)map->whole);
    double from = od_gnuplot_in_unit(plot, (double)map->hole_start);
    double hole = od_gnuplot_in_unit(plot, (double)map->hole);
    double wanted = need.known ? od_gnuplot_in_unit(plot, (double)need.n) : 0;
    struct od_side_label label = {.from = from, .to = from + hole, .whole = whole, .y = 1.4};
    label.text = od_arena_printf(plot->arena, "largest free block %s",
                                 od_bytes_text_u64(plot->arena, map->hole));
    od_gnuplot_say(plot, "hole_at = %.6g\nhole = %.6g", from, hole);
    if (map->hole > 0)
        od_gnuplot_side_label(plot, &label);
    double length = fmin(wanted, whole), at = fmin(from, whole - length);
    od_gnuplot_say(plot, "need_at = %.6g\nneed = %.6g", at, length);
    label = (struct od_side_label){.from = at, .to = at + length, .whole = whole, .y = 2.325};
    label.text = od_arena_printf(plot->arena, "request %s%s", od_bytes_text(plot->arena, need),
                                 wanted > whole ? ", more than all of it" : "");
    if (need.known)
        od_gnuplot_side_label(plot, &label);
}

static unsigned legend_rows(const struct map *map)
{
    unsigned entries = 0;
    for (unsigned share = 0; share < OD_SHARES; share++)
        entries += map->total[share] > 0;
    return (entries + 1) / 2;
}

static void add_frame(struct od_gnuplot_script *plot, const struct map *map)
{
    double whole = od_gnuplot_in_unit(plot, (double)map->whole), last = 0;
    size_t regions = map->a->dump.regions.n;
    od_gnuplot_say(plot, "whole = %.9g\npool = %.9g\nlegend = %u\nspare = '" OD_SPARE "'", whole,
                   od_gnuplot_in_unit(plot, (double)map->pool), legend_rows(map));
    od_gnuplot_say(
        plot, "set xlabel unit_name . '%s'",
        regions > 1 ? od_arena_printf(plot->arena, "; %s side by side",
                                      od_words_counted(plot->arena, regions, "region", "regions"))
                    : "");
    add_marks(plot, map);
    od_gnuplot_run(plot, "map");
    for (size_t i = 0; i < map->nborders && map->nborders <= BORDERS_MOST; i++) {
        double at = od_gnuplot_in_unit(plot, (double)map->borders[i]);
        if (at - last < 0.012 * whole) /* closer lines would merge into a blot */
            continue;
        last = at;
        od_gnuplot_say(plot, "set arrow from %.6g,-0.04 to %.6g,1.08 nohead front linewidth 1", at,
                       at);
    }
}

static const char *describe(struct od_arena *arena, const struct map *map)
{
    const struct od_allocator *a = map->a;
    struct od_bytes need = a->need.known ? a->need : a->requested;
    const char *asked =
        need.known ? od_arena_printf(arena, " The request, %s, is drawn to the same scale: it %s.",
                                     od_bytes_text(arena, need),
                                     need.n > map->hole ? "is larger than the block"
                                                        : "would fit the block")
                   : "";
    return od_arena_printf(
        arena, "A bar of the address space: %s in use, %s free, the largest free block %s.%s",
        od_bytes_text_u64(arena, map->pool - map->total[OD_SHARE_FREE]),
        od_bytes_text_u64(arena, map->total[OD_SHARE_FREE]), od_bytes_text_u64(arena, map->hole),
        asked);
}

void od_figure_map(struct od_figures *figures, const struct od_report *report,
                   const struct od_allocator *allocator, struct od_arena *arena)
{
    struct map *map = OD_NEW(arena, struct map);
    map->a = allocator;
    map->shares = od_shares_of(report, allocator, arena);
    if (!sum_up(map))
        return;
    walk(map);
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, map->whole);
    add_frame(&plot, map);
    add_names(&plot, map);
    add_blocks(&plot, map);
    const char *device = od_figure_device(allocator->device, arena);
    struct od_figure words = {
        .name = "memory_map",
        .title =
            od_arena_printf(arena, "Memory by address%s%s%s", *device ? ", " : "", device,
                            allocator->chunks_complete ? "" : " (only the part that was read)"),
        .alt = describe(arena, map),
        .height = HEIGHT + 18 * legend_rows(map)};
    od_gnuplot_finish(&plot, &words);
    od_vec_done(&map->stretches);
}
