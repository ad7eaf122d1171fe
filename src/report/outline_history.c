/* What an allocator recorded of itself: its level over the events, and who held it at its peak. */
#include "report/outline_parts.h"

#include "report/words.h"

static const struct od_history_point *peak_of(const struct od_dump *dump)
{
    const struct od_history_point *peak = &dump->history.items[0];
    for (size_t i = 1; i < dump->history.n; i++)
        if (dump->history.items[i].allocated > peak->allocated)
            peak = &dump->history.items[i];
    return peak;
}

static void fill(const struct od_dump *dump, struct od_plot *curve, double top)
{
    size_t n = dump->history.n;
    curve->n = n < OD_PLOT_POINTS ? n : (size_t)OD_PLOT_POINTS;
    for (size_t i = 0; i < n; i++) {
        double level = (double)dump->history.items[i].allocated / top;
        size_t at = i * curve->n / n;
        curve->levels[at] = level > curve->levels[at] ? level : curve->levels[at];
    }
}

static void add_curve(struct od_outline *outline, struct od_section *section,
                      const struct od_allocator *a)
{
    const struct od_dump *dump = &a->dump;
    struct od_arena *arena = outline->arena;
    uint64_t top = peak_of(dump)->allocated;
    for (size_t i = 0; i < dump->history.n; i++)
        top = dump->history.items[i].reserved > top ? dump->history.items[i].reserved : top;
    struct od_plot *curve = od_doc_plot(section);
    curve->title = od_arena_printf(arena, "Allocated on %s, of at most %s reserved",
                                   od_words_device(arena, a->device), od_words_short(arena, top));
    curve->drawn = 1;
    curve->forecast = curve->limit = -1;
    curve->failed = dump->requested.known ? 1 : -1;
    curve->top = od_words_short(arena, top);
    curve->half = od_words_short(arena, top / 2);
    curve->bottom = "0";
    curve->from = "event 1";
    curve->to = od_arena_printf(arena, "event %s", od_words_count(arena, dump->history_events));
    curve->note = dump->requested.known
                      ? od_arena_printf(arena, "failed at the end: %s more was asked for",
                                        od_words_short(arena, dump->requested.n))
                      : NULL;
    fill(dump, curve, (double)(top > 0 ? top : 1));
}

/* Again and again allocated, and never less. */
static bool only_grows(const struct od_dump *dump, size_t place)
{
    enum { OFTEN = 6 };
    size_t rises = 0;
    for (size_t i = 1; i < dump->history.n; i++) {
        uint64_t before = dump->history.items[i - 1].held[place];
        uint64_t now = dump->history.items[i].held[place];
        if (now < before)
            return false;
        rises += now > before;
    }
    return rises >= OFTEN;
}

/* few: only suspect holders. */
static void add_holders(struct od_outline *outline, struct od_section *section,
                        const struct od_dump *dump, bool few)
{
    const struct od_history_point *peak = peak_of(dump);
    struct od_node *list = NULL;
    uint64_t rest = peak->allocated;
    for (size_t i = 0; i < OD_HISTORY_PLACES && dump->history_places[i].n > 0; i++) {
        rest -= peak->held[i] < rest ? peak->held[i] : rest;
        if (few && !only_grows(dump, i))
            continue;
        list = list ? list : od_doc_list(section);
        struct od_text *text = od_doc_item(list);
        od_say(text, "Place %zu: %s at the peak, allocated by ", i + 1,
               od_words_short(outline->arena, peak->held[i]));
        od_doc_add(text, OD_CODE, dump->history_places[i]);
        if (only_grows(dump, i))
            od_say_as(text, OD_BAD, ", of which nothing was freed");
    }
    if (rest > 0 && list && !few)
        od_say(od_doc_item(list), "%s by others, or before the first recorded event",
               od_words_short(outline->arena, rest));
}

bool od_outline_history(struct od_outline *outline, const struct od_allocator *a, bool first)
{
    if (!a || a->dump.history.n == 0)
        return false;
    struct od_section *section = od_doc_section(
        outline->doc,
        first ? NULL
              : od_arena_printf(outline->arena, "Over %s recorded events",
                                od_words_count(outline->arena, a->dump.history_events)));
    section->picture = first;
    add_curve(outline, section, a);
    add_holders(outline, section, &a->dump, first && !outline->all);
    return true;
}
