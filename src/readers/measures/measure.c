#include "readers/measures/measure.h"

#include <math.h>

void od_measure_begin(struct od_event *ret_event, const char *reader, const struct od_line *line,
                      const char *space)
{
    od_event_begin(ret_event, OD_EV_SAMPLE, line, reader);
    ret_event->excerpt = od_view_trim(line->text);
    if (space)
        od_event_set_text(ret_event, OD_F_SPACE, od_view_of(space));
}

static bool is_multiple(double part, double of)
{
    return fmod(part, of) < 0.5;
}

const char *od_measure_unit_of_part(double part, enum od_measure_kind what)
{
    bool fraction = part > floor(part);
    bool pages = what == OD_MEASURED_PAGES && !fraction;
    if (part >= 1e8 || (pages && part >= 1 << 20 && is_multiple(part, 4096)))
        return "B";
    if (pages && part >= 16384 && is_multiple(part, 4))
        return "KiB";
    if (what == OD_MEASURED_HEAP && part >= 16384)
        return "B";
    if (part >= 2e6)
        return what == OD_MEASURED ? "B" : "KiB";
    if (part >= 128) /* of more than 128 GiB it may as well be KiB */
        return what == OD_MEASURED && part >= 1 << 17 ? NULL : "MiB";
    return part >= 0.05 && fraction ? "GiB" : NULL;
}
