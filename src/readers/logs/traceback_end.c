/*
 * A Python traceback at the end of a log without its exception: the run ended with an unknown
 * error.
 */
#include "readers/reader.h"

struct traceback_end {
    bool open;
    unsigned frames;
    struct od_kept_line first;
};

static const char *const literals[] = {"Traceback (most recent call last)", NULL};

static void end(void *state, const struct od_sink *sink)
{
    struct traceback_end *s = state;
    if (s->open && s->frames > 0) {
        struct od_event event = {.kind = OD_EV_EXCEPTION,
                                 .at = s->first.line.at,
                                 .line = &s->first.line,
                                 .excerpt = s->first.line.text,
                                 .rule = "traceback_end"};
        od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("python"));
        od_event_set_text(&event, OD_F_NAME, OD_VIEW("Traceback"));
        od_sink_put(sink, &event);
    }
    s->open = false;
}

/* all lines of a traceback before the exception are indented */
static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct traceback_end *s = state;
    if (od_view_has(line->text, od_view_of(literals[0]))) {
        *s = (struct traceback_end){.open = true};
        od_line_keep(&s->first, line);
        return OD_TAKE_SHARE;
    }
    if (!s->open || od_view_trim(line->text).n == 0)
        return OD_TAKE_NONE;
    struct od_view text = od_view_trim(line->text);
    if (od_view_starts(text, OD_VIEW("```"))) /* end of a quoted log */
        end(s, sink);
    s->frames += od_view_starts(text, OD_VIEW("File \""));
    bool indented = line->text.p[0] == ' ' || line->text.p[0] == '\t';
    s->open = indented || od_view_starts(text, OD_VIEW("File \""));
    return OD_TAKE_NONE;
}

const struct od_reader od_reader_traceback_end = {
    .name = "traceback_end",
    .literals = literals,
    .state_size = sizeof(struct traceback_end),
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = end,
};
