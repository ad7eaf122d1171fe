/* A large curve of memory over the run: the growing series, its limit, and the forecast. */
#include "report/outline_parts.h"

#include "report/words.h"

#include <math.h>

enum { POINTS_LEAST = 8 };

static bool can_be_drawn(const struct od_series *s)
{
    return (s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE) &&
           od_series_metric_is_bytes(s->metric) && !od_series_metric_is_free(s->metric) &&
           s->metric != OD_SERIES_HOST_VIRTUAL && s->nsamples >= POINTS_LEAST && s->max > 0 &&
           s->max < 0x1p62 && s->samples[s->nsamples - 1].x > s->samples[0].x;
}

static const struct od_series *most_grown(const struct od_case *c)
{
    const struct od_series *best = NULL;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (can_be_drawn(s) && (!best || s->last - s->first > best->last - best->first))
            best = s;
    return best;
}

/* Takes the highest level of each stretch of the axis; an empty stretch repeats the level
 * before. */
static void fill_levels(struct od_plot *curve, const struct od_series *s, double top)
{
    double first = s->samples[0].x, span = s->samples[s->nsamples - 1].x - first;
    curve->n = s->nsamples < OD_PLOT_POINTS ? s->nsamples : (size_t)OD_PLOT_POINTS;
    for (size_t i = 0; i < curve->n; i++)
        curve->levels[i] = -1;
    for (size_t i = 0; i < s->nsamples; i++) {
        double part = (s->samples[i].x - first) / span;
        size_t at = (size_t)(fmin(fmax(part, 0), 1) * (double)(curve->n - 1) + 0.5);
        curve->levels[at] = fmax(curve->levels[at], fmax(s->samples[i].value, 0) / top);
    }
    for (size_t i = 1; i < curve->n; i++)
        if (curve->levels[i] < 0)
            curve->levels[i] = curve->levels[i - 1];
}

/* "step 3,800", "line 210", "20 min" */
static const char *place_words(const struct od_outline *outline, const struct od_series *s,
                               double x)
{
    struct od_arena *arena = outline->arena;
    if (s->x == OD_X_SECONDS)
        return x < 120    ? od_arena_printf(arena, "%.0f s", x)
               : x < 7200 ? od_arena_printf(arena, "%.0f min", x / 60)
                          : od_arena_printf(arena, "%.1f h", x / 3600);
    const char *word = s->x == OD_X_LINE ? "line" : od_series_x_name(s->x);
    return od_arena_printf(arena, "%s %s", word,
                           od_words_count(arena, x > 0 && x < 1e15 ? (uint64_t)(x + 0.5) : 0));
}

/* Is the limit so far off that the run would take less than a tenth of the axis? */
static bool is_reached_far_off(const struct od_series *s)
{
    double first = s->samples[0].x, last = s->samples[s->nsamples - 1].x;
    return s->exhausts_known && s->exhausts_x > last + 9 * (last - first);
}

/* The end of the axis: where the limit is reached if it is drawn, otherwise twice the run's
 * length. */
static double end_of_axis(const struct od_series *s, bool limit)
{
    double first = s->samples[0].x, last = s->samples[s->nsamples - 1].x, span = last - first;
    if (!s->exhausts_known || !s->slope_known || s->exhausts_x < last + 0.05 * span)
        return last;
    return limit ? s->exhausts_x : fmin(s->exhausts_x, last + span);
}

static double level_at_end(const struct od_series *s, double end)
{
    return s->end_level + s->slope * (end - s->samples[s->nsamples - 1].x);
}

static void add_forecast(const struct od_outline *outline, struct od_plot *curve,
                         const struct od_series *s, double end, double top)
{
    double first = s->samples[0].x, last = s->samples[s->nsamples - 1].x;
    curve->drawn = (last - first) / (end - first);
    curve->forecast = end > last ? fmin(level_at_end(s, end) / top, 1) : -1;
    curve->to = place_words(outline, s, end);
    if (end > last)
        curve->note = od_arena_printf(outline->arena, "limit at about %s if growth continues",
                                      place_words(outline, s, s->exhausts_x));
}

static void mark_failure(const struct od_outline *outline, struct od_plot *curve,
                         const struct od_series *s)
{
    const struct od_incident *ended = outline->diagnosis->failure->run.ended;
    curve->failed = -1;
    if (!ended || ended->at.source != s->at.source || ended->at.line < s->samples[0].line)
        return;
    size_t i = 0;
    while (i + 1 < s->nsamples && s->samples[i].line < ended->at.line)
        i++;
    double first = s->samples[0].x, span = s->samples[s->nsamples - 1].x - first;
    curve->failed = (s->samples[i].x - first) / span * curve->drawn;
    if (!curve->note)
        curve->note = od_arena_printf(outline->arena, "failed at %s",
                                      place_words(outline, s, s->samples[i].x));
}

static const char *title_of(const struct od_outline *outline, const struct od_series *s)
{
    const char *metric = od_words_metric(s->metric);
    return s->device.n > 0 ? od_arena_printf(outline->arena, "%s, %s", metric,
                                             od_words_device(outline->arena, s->device))
                           : metric;
}

bool od_outline_course(struct od_outline *outline)
{
    static const double far = 4; /* a higher limit would flatten the curve */
    const struct od_series *s = most_grown(outline->c);
    if (!s)
        return false;
    bool limit =
        s->limit_known && s->limit >= s->max && s->limit < far * s->max && !is_reached_far_off(s);
    double end = end_of_axis(s, limit);
    double ahead = end > s->samples[s->nsamples - 1].x ? level_at_end(s, end) : 0;
    double top = limit ? s->limit : fmax(s->max, ahead);
    struct od_section *section = od_doc_section(outline->doc, NULL);
    section->picture = true;
    struct od_plot *curve = od_doc_plot(section);
    curve->title = title_of(outline, s);
    curve->limit = limit ? 1 : -1;
    curve->top = od_words_read(outline->arena, top, s->grain);
    curve->half = od_words_read(outline->arena, top / 2, s->grain);
    curve->bottom = "0";
    curve->grows = true;
    curve->from = place_words(outline, s, s->samples[0].x);
    fill_levels(curve, s, top);
    add_forecast(outline, curve, s, end, top);
    mark_failure(outline, curve, s);
    outline->drawn = s;
    return true;
}

/* ---- an allocator's recorded history, and the holders at its peak ---- */

static const struct od_history_point *peak_of(const struct od_dump *dump)
{
    const struct od_history_point *peak = &dump->history.items[0];
    for (size_t i = 1; i < dump->history.n; i++)
        if (dump->history.items[i].allocated > peak->allocated)
            peak = &dump->history.items[i];
    return peak;
}

static void fill_history(const struct od_dump *dump, struct od_plot *curve, double top)
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
    curve->title =
        od_arena_printf(arena, "Allocated on %s, of at most %s reserved",
                        od_words_device(arena, a->device), od_bytes_text_u64(arena, top));
    curve->drawn = 1;
    curve->forecast = curve->limit = -1;
    curve->failed = dump->requested.known ? 1 : -1;
    curve->top = od_bytes_text_u64(arena, top);
    curve->half = od_bytes_text_u64(arena, top / 2);
    curve->bottom = "0";
    curve->from = "event 1";
    curve->to = od_arena_printf(arena, "event %s", od_words_count(arena, dump->history_events));
    curve->note = dump->requested.known
                      ? od_arena_printf(arena, "failed at the end: %s more was asked for",
                                        od_bytes_text(arena, dump->requested))
                      : NULL;
    fill_history(dump, curve, (double)(top > 0 ? top : 1));
}

/* Does it allocate again and again and never release? */
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

/* few: lists only holders that allocate repeatedly and never release. */
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
               od_bytes_text_u64(outline->arena, peak->held[i]));
        od_doc_add(text, OD_CODE, dump->history_places[i]);
        if (only_grows(dump, i))
            od_say_as(text, OD_BAD, ", of which nothing was freed");
    }
    if (rest > 0 && list && !few)
        od_say(od_doc_item(list), "%s by others, or before the first recorded event",
               od_bytes_text_u64(outline->arena, rest));
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
