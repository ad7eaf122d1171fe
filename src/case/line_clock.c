#include "case/line_clock.h"

#include "base/daytime.h"

static bool is_of(const struct od_line_clock *clock, const struct od_line *line)
{
    return clock->text.p == line->text.p && clock->text.n == line->text.n &&
           clock->offset == line->at.offset && clock->source == line->at.source;
}

bool od_line_clock_read(struct od_line_clock *clock, const struct od_line *line,
                        double *ret_seconds)
{
    if (!is_of(clock, line)) {
        *clock = (struct od_line_clock){
            .source = line->at.source, .offset = line->at.offset, .text = line->text};
        clock->known = od_daytime_head(line->text, &clock->seconds) ||
                       od_daytime_head(line->stamp, &clock->seconds);
    }
    if (clock->known)
        *ret_seconds = clock->seconds;
    return clock->known;
}
