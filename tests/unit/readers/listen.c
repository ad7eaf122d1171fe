#include "tests/unit/readers/listen.h"

#include "tests/unit/fields.h"
#include "tests/unit/readers/offered.h"

#include <inttypes.h>

static const struct od_place nowhere;

static void hear(void *self, const struct od_event *event)
{
    struct listener *l = self;
    od_buf_printf(&l->heard, "%s@%" PRIu64, od_event_kind_name(event->kind), event->at.line);
    for (unsigned f = OD_F_NONE + 1; f < OD_F_END; f++) {
        const struct od_field_value *value = od_event_get(event, (enum od_field)f);
        if (!value || f == OD_F_PRODUCER || f == OD_F_SPACE || f == OD_F_ALLOCATOR)
            continue;
        od_buf_add_char(&l->heard, ' ');
        field_write(&l->heard, value);
    }
    od_buf_add_char(&l->heard, '\n');
}

void listen_begin(struct listener *l, const struct od_reader *reader)
{
    *l = (struct listener){.arena = od_arena_new()};
    l->reading = od_reading_begin(reader, l->arena);
}

void listen_text(struct listener *l, uint32_t lane, const char *text)
{
    const struct od_sink sink = {hear, l};
    struct od_view rest = od_view_of(text), one;
    while (od_view_cut(&rest, '\n', &one)) {
        struct od_line line = {.text = one,
                               .at = {.nlines = 1, .line = ++l->line, .offset = l->line * 9},
                               .lane = lane,
                               .place = &nowhere,
                               .segment = od_segment_of(one),
                               .overprinted = od_view_ends(one, OD_VIEW("\r"))};
        line.text.n -= line.overprinted;
        (void)od_reading_line(&l->reading, &line, reading_is_hit(&l->reading, one), &sink);
    }
}

const char *listen_end(struct listener *l)
{
    const struct od_sink sink = {hear, l};
    od_reading_end(&l->reading, &sink);
    return od_buf_str(&l->heard);
}

void listen_done(struct listener *l)
{
    od_reading_done(&l->reading);
    od_buf_done(&l->heard);
    od_arena_free(l->arena);
}
