#include "tests/unit/readers/events.h"

#include "readers/reading.h"
#include "tests/unit/fields.h"

#include <inttypes.h>

static const struct od_place nowhere;

static void write_event(void *self, const struct od_event *event)
{
    struct od_buf *to = self;
    od_buf_printf(to, "%s@%" PRIu64, od_event_kind_name(event->kind), event->at.line);
    if (event->at.nlines > 1)
        od_buf_printf(to, "+%" PRIu32, event->at.nlines - 1);
    for (size_t i = 0; i < event->nfields; i++) {
        od_buf_add_char(to, ' ');
        field_write(to, &event->fields[i]);
    }
    od_buf_add_char(to, '\n');
}

struct od_buf events_read(const struct od_reader *reader, struct od_view text)
{
    struct od_buf events = {0};
    const struct od_sink sink = {write_event, &events};
    struct od_arena *arena = od_arena_new();
    struct od_reading reading = od_reading_begin(reader, arena);
    struct od_view one;
    uint64_t number = 0;
    while (od_view_cut(&text, '\n', &one)) {
        struct od_line line = {.at = {.nlines = 1, .line = ++number}, .lane = 1, .place = &nowhere};
        if (one.n > 3 && one.p[0] == '@') {
            line.lane = (uint32_t)(one.p[1] - '0');
            one = od_view_from(one, 3);
        }
        line.overprinted = od_view_ends(one, OD_VIEW("\r"));
        line.text = od_view_head(one, one.n - line.overprinted);
        (void)od_reading_line(&reading, &line, true, &sink);
    }
    od_reading_end(&reading, &sink);
    od_reading_done(&reading);
    od_arena_free(arena);
    return events;
}
