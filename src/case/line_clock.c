#include "case/line_clock.h"

#include "base/daytime.h"

static bool is_of(const struct od_line_clock *clock, const struct od_line *line)
{
    return clock->text.p == line->text.p && clock->text.n == line->text.n &&
           clock->offset == line->at.offset && clock->source == line->at.source;
}

/* Position of the time in lines of this shape. */
static size_t place_of(const struct od_line *line)
{
    static const char owner;
    enum { KNOWN = 3 }; /* offset of the stored value, so that 0 means not stored */
    void **kept = od_line_kept(line, &owner);
    if (kept && *kept)
        return (size_t)(uintptr_t)*kept - KNOWN;
    size_t place = od_daytime_place(line->text);
    if (kept)
        *kept = (void *)(uintptr_t)(place + KNOWN);
    return place;
}

bool od_line_clock_read(struct od_line_clock *clock, const struct od_line *line,
                        double *ret_seconds)
{
    if (!is_of(clock, line)) {
        *clock = (struct od_line_clock){
            .source = line->at.source, .offset = line->at.offset, .text = line->text};
        clock->known = od_daytime_at(line->text, place_of(line), &clock->seconds) ||
                       od_daytime_head(line->stamp, &clock->seconds);
    }
    if (clock->known)
        *ret_seconds = clock->seconds;
    return clock->known;
}
