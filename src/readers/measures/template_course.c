/*
 * Memory over time in one sentence, each size after its time or in a row: "It starts at 300 MB.
 * After 1 hour it uses 2 GB of RAM, after 2 hours 4.1 GB", "RSS: 120 MB -> 240 MB -> 380 MB".
 */
#include "base/seconds.h"
#include "readers/measures/measure.h"
#include "readers/measures/template_pieces.h"

enum { SIZES_MOST = 40, LEAST = 3 };

/* The seconds of "2 hours", "an hour"; negative: it is no time. */
static double time_at(const struct od_template_reading *r, const struct od_piece *p)
{
    static const char *const ones[] = {"a", "an", "one", NULL};
    bool one = od_view_eq_any(od_piece_text(r, p), ones);
    struct od_view number = one ? OD_VIEW("1") : od_piece_text(r, p);
    double seconds;
    return (one || (p->number && p->unit.n == 0)) && od_piece_is_word(p + 1) &&
                   od_seconds_parse_unit(number, od_piece_text(r, p + 1), &seconds)
               ? seconds
               : -1;
}

bool od_template_course(const struct od_line *line, const struct od_sink *sink)
{
    static const unsigned memory = OD_MW_MEMORY | OD_MW_RSS | OD_MW_RAM | OD_MW_DEVICE;
    struct od_template_reading r = {.text = line->text};
    struct od_bytes sizes[SIZES_MOST];
    double times[SIZES_MOST] = {0}, time = 0, before = -1;
    size_t n = 0, timed = 0;
    unsigned words = 0;
    od_template_cut(&r);
    for (size_t i = 0; i < r.n && n < SIZES_MOST; i++) {
        const struct od_piece *p = &r.pieces[i];
        double now = time_at(&r, p);
        time = now >= 0 ? now : time;
        words |= p->means;
        bool change = i > 0 && p[-1].mark && strchr("+-", p[-1].mark) && od_piece_joined(p);
        if (!p->number || change || p->unit.n == 0 ||
            !od_template_size(od_piece_text(&r, p), od_span_of(r.text, p->unit), &sizes[n]))
            continue;
        timed += time > before;
        before = times[n++] = time;
        time = 0;
    }
    /* the size at the start may lack a time */
    bool row = timed == 1 && !(before > 0) && od_view_count(r.text, '>') + 1 >= n;
    if (n < LEAST || !(words & memory) || (words & OD_MW_FREE) || !(row || timed == n))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct od_event event;
        od_measure_begin(&event, "repeated.course", line,
                         words & OD_MW_DEVICE              ? "device"
                         : words & (OD_MW_RAM | OD_MW_RSS) ? "host"
                                                           : "unknown");
        od_event_set_known(&event, words & OD_MW_RSS ? OD_F_RSS : OD_F_IN_USE, sizes[i]);
        if (row)
            od_event_set_count(&event, OD_F_STEP, i + 1);
        else
            od_event_set_number(&event, OD_F_ELAPSED, times[i]);
        od_sink_put(sink, &event);
    }
    return true;
}
