/*
 * The messages of garbage collectors: memory in use after a collection, and the size of the heap,
 * each a point of a series. If the heap is full afterwards, its size is the limit of the failure
 * that follows. V8 prints the committed size, which is not the limit.
 *
 *   Mark-Compact 4099.5 (4107.9) -> 4091.4 (4101.0) MB, 16.98 / 0.00 ms     V8
 *   GC(43) Pause Full (G1 Compaction Pause) 2040M->1990M(2048M) 812.001ms   Java 9 on
 *   GC(7) Garbage Collection (Proactive) 1210M(15%)->900M(11%)               its ZGC
 *   gc 3 @31.5s 1%: 0.1+1.2+0.1 ms clock, 0.1+0.3 ms cpu, 40->41->22 MB, 44 MB goal, 8 P   Go
 *   [Full GC (Ergonomics) [PSYoungGen: 1K->0K(3K)] 644118K->610001K(1005056K), 1.2 secs]
 */
#include "readers/measures/measure.h"
#include "readers/reader.h"

#include "readers/measures/heap_gc_lists.inc"

/* Share in percent of a full heap: runtimes give up with a few percent free, or after a long time
 * with little. */
enum { NEAR_PERCENT = 85 };

struct heap {
    struct od_bytes size; /* after the latest collection; unknown if it was not full */
    struct od_bytes used;
    bool committed; /* the size is what the heap has taken from the system */
};

/* "2040M", "2026.0 (2049.8) MB": the number with its unit, which may follow at the end. */
static bool take_size(struct od_view *text, struct od_view unit, struct od_bytes *ret_size)
{
    struct od_view number = od_num_take_text(text);
    if (unit.n == 0 && text->n > 0 && od_is_upper(text->p[0])) {
        unit = od_view_head(*text, 1);
        *text = od_view_from(*text, 1);
    }
    return number.n > 0 && unit.n > 0 &&
           od_bytes_parse_unit(number, unit, OD_UNIT_BINARY, ret_size);
}

/* Reads the text after an arrow: "1990M(2048M)", " 2026.0 (2049.8) MB", and with is_bare also
 * "900M(11%)". */
static bool take_after(struct od_view text, bool is_bare, struct heap *ret)
{
    bool v8 = od_view_take(&text, OD_VIEW(" "));
    struct od_view unit = v8 ? OD_VIEW("MB") : (struct od_view){0};
    if (!take_size(&text, unit, &ret->used))
        return false;
    od_view_skip_blanks(&text);
    ret->size = (struct od_bytes){0};
    ret->committed = v8;
    return (od_view_take(&text, OD_VIEW("(")) && take_size(&text, unit, &ret->size) &&
            od_view_take(&text, OD_VIEW(")")) && (!v8 || od_view_starts(text, OD_VIEW(" MB")))) ||
           is_bare;
}

/* Is it about a part of the heap: "GC(3) Metaspace: 5012K(5200K)->5012K(5200K)", "Eden regions:
 * 12->0(13)"? */
static bool is_of_part(struct od_view text)
{
    return od_view_find(text, OD_VIEW(": "), od_view_find(text, OD_VIEW(" GC("), 0)) !=
           OD_VIEW_NONE;
}

/* Finds the arrow of the whole heap; arrows of its parts are in brackets. */
static bool find_heap(struct od_view text, struct heap *ret)
{
    unsigned depth = 0, most = od_view_has(text, OD_VIEW("GC (")) ? 1 : 0;
    bool unified = od_view_has(text, OD_VIEW(" GC("));
    if (unified && is_of_part(text))
        return false;
    for (size_t i = 0; i + 2 < text.n; i++) {
        depth += text.p[i] == '[';
        depth -= depth > 0 && text.p[i] == ']';
        if (text.p[i] == '-' && text.p[i + 1] == '>' && depth <= most &&
            take_after(od_view_from(text, i + 2), unified, ret))
            return ret->used.known && (!ret->size.known || ret->used.n <= ret->size.n);
    }
    return false;
}

/* "40->41->22 MB, 44 MB goal": live memory, and the size at which the next collection starts. */
static bool find_go_heap(struct od_view text, struct heap *ret)
{
    size_t at = od_view_find(text, OD_VIEW(" MB goal,"), 0), begin = at;
    struct od_view live = od_view_head(text, at == OD_VIEW_NONE ? 0 : at);
    while (begin != OD_VIEW_NONE && begin > 1 && live.p[begin - 2] != '>')
        begin--;
    if (at == OD_VIEW_NONE || begin < 2)
        return false;
    live = od_view_from(live, begin - 1);
    return take_size(&live, OD_VIEW("MB"), &ret->used) && od_view_take(&live, OD_VIEW(" MB, ")) &&
           take_size(&live, OD_VIEW("MB"), &ret->size);
}

static bool is_full(const struct heap *heap)
{
    return heap->size.known && heap->used.n / NEAR_PERCENT * 100 >= heap->size.n;
}

static void measure(struct heap *heap, const struct od_line *line, const struct od_sink *sink)
{
    struct od_event event;
    od_measure_begin(&event, "heap_gc", line, "host");
    od_event_set_known(&event, OD_F_RSS, heap->used);
    od_event_set_text(&event, OD_F_PROCESS, OD_VIEW("heap"));
    od_sink_put(sink, &event);
}

static enum od_take fail(const struct heap *heap, const struct od_line *line,
                         const struct od_sink *sink)
{
    struct od_event event = {.kind = OD_EV_ALLOC_FAILED,
                             .at = line->at,
                             .line = line,
                             .excerpt = od_view_trim(line->text),
                             .rule = "heap_gc"};
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("other"));
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("host"));
    if (!heap->committed)
        od_event_set_bytes(&event, OD_F_LIMIT, heap->size);
    od_event_set_bytes(&event, OD_F_IN_USE, heap->used);
    od_sink_put(sink, &event);
    return OD_TAKE_ALL;
}

static bool says_failure(struct od_view text)
{
    return od_view_has_any(text, failures);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct heap *heap = state, now = {0};
    if (says_failure(line->text))
        return is_full(heap) ? fail(heap, line, sink) : OD_TAKE_NONE;
    if (!find_heap(line->text, &now) && !find_go_heap(line->text, &now))
        return OD_TAKE_NONE;
    *heap = now;
    measure(heap, line, sink);
    return OD_TAKE_ALL;
}

const struct od_reader od_reader_heap_gc = {
    .name = "heap_gc",
    .literals = literals,
    .state_size = sizeof(struct heap),
    .line = take_line,
};
