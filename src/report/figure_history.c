/*
 * What an allocator recorded of itself, event by event: who held the allocated memory, stacked, and
 * what it had reserved. Places are words of the input: here they are numbers, the text beside names
 * them.
 */
#include "report/figure_parts.h"

#include "report/words.h"

enum { HEIGHT = 340 };

static const char *const colors[OD_HISTORY_PLACES] = {"#3B5B85", "#1B7A8C", "#A9BCD6", "#2C8A5A",
                                                      "#6B6F76"};

static size_t count_places(const struct od_dump *dump)
{
    size_t n = 0;
    while (n < OD_HISTORY_PLACES && dump->history_places[n].n > 0)
        n++;
    return n;
}

/* Columns: event, allocated, reserved, then what the first place holds, the first two, ... */
static void add_points(struct od_sketch *sketch, const struct od_dump *dump)
{
    (void)od_sketch_block(sketch, "event, allocated, reserved, by place 1, by places 1 and 2, ...");
    OD_FOR_EACH (const struct od_history_point, p, dump->history) {
        uint64_t sums[OD_HISTORY_PLACES], sum = 0;
        for (size_t k = 0; k < OD_HISTORY_PLACES; k++) {
            sum += p->held[k] < p->allocated - sum ? p->held[k] : p->allocated - sum;
            sums[k] = sum;
        }
        od_sketch_row(sketch,
                      "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                      " %" PRIu64 " %" PRIu64,
                      p->event, p->allocated, p->reserved, sums[0], sums[1], sums[2], sums[3],
                      sums[4]);
    }
}

static void add_plot(struct od_sketch *sketch, const struct od_dump *dump, double top)
{
    size_t places = count_places(dump);
    od_sketch_say(sketch,
                  "set xrange [1:%" PRIu64
                  "]\nset xlabel 'recorded event'\nset xtics %.9g nomirror\n"
                  "set rmargin 4\nset key below left horizontal Left reverse samplen 1.5",
                  dump->history_events, od_sketch_step((double)dump->history_events));
    od_sketch_y_axis(sketch, top * 1.12, od_bytes_unit_name(sketch->unit));
    if (dump->requested.known)
        od_sketch_say(
            sketch, "set arrow from graph 1, graph 0 to graph 1, graph 1 nohead front linewidth 2 "
                    "linecolor rgb '" OD_ALARM "'\nset label 'failed here' at graph 0.99, graph "
                    "0.96 right front");
    od_sketch_say(sketch,
                  "plot data index 0 using 1:($2/unit) with filledcurves y1=0 fillcolor rgb "
                  "'#C0C0C0' title 'allocated%s', \\",
                  places > 0 ? " by others" : "");
    for (size_t k = places; k > 0; k--)
        od_sketch_say(sketch,
                      "    data index 0 using 1:($%zu/unit) with filledcurves y1=0 fillcolor rgb "
                      "'%s' title 'place %zu', \\",
                      3 + k, colors[k - 1], k);
    od_sketch_say(sketch, "    data index 0 using 1:($3/unit) with steps linewidth 2 linecolor rgb "
                          "'#808080' title 'reserved'");
}

void od_figure_history(struct od_figures *figures, const struct od_allocator *a,
                       struct od_arena *arena)
{
    const struct od_dump *dump = &a->dump;
    uint64_t top = 0;
    OD_FOR_EACH (const struct od_history_point, p, dump->history) {
        top = p->reserved > top ? p->reserved : top;
        top = p->allocated > top ? p->allocated : top;
    }
    if (top == 0 || top > INT64_MAX || dump->history.n < 2)
        return;
    struct od_sketch sketch = od_sketch_start(figures, arena, top);
    add_points(&sketch, dump);
    add_plot(&sketch, dump, (double)top);
    const char *device = od_figure_device(a->device, arena);
    struct od_figure words = {
        .name = "history",
        .title = od_arena_printf(arena, "Memory over the recorded events%s%s", *device ? ", " : "",
                                 device),
        .alt = od_arena_printf(arena,
                               "Areas over %s events: what each of the places that held most at "
                               "the peak has allocated, stacked; a line: what is reserved, at most "
                               "%s.",
                               od_words_count(arena, dump->history_events),
                               od_bytes_text_u64(arena, top)),
        .height = HEIGHT};
    od_sketch_finish(&sketch, &words);
}
