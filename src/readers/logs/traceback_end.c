/*
 * A traceback of Python with which a log ends, before the exception is named: the run ended with an
 * error, whatever it was.
 */
#include "readers/reader.h"

enum { KEPT = 400 };

struct traceback_end {
    bool open;
    unsigned frames;
    struct od_line first;
    struct od_buf kept; /* the texts of first */
};

static const char *const literals[] = {"Traceback (most recent call last)", NULL};

static void keep(struct traceback_end *s, const struct od_line *line)
{
    struct od_view text = od_view_head(od_view_trim(line->text), KEPT);
    s->open = true;
    s->frames = 0;
    s->first = *line;
    s->kept.n = 0;
    od_buf_add(&s->kept, text);
    od_buf_add(&s->kept, line->stamp);
    s->first.text = od_view_head(od_buf_view(&s->kept), text.n);
    s->first.stamp = od_view_from(od_buf_view(&s->kept), text.n);
}

static void end(void *state, const struct od_sink *sink)
{
    struct traceback_end *s = state;
    if (s->open && s->frames > 0) {
        struct od_event event = {.kind = OD_EV_EXCEPTION,
                                 .at = s->first.at,
                                 .line = &s->first,
                                 .excerpt = s->first.text,
                                 .rule = "traceback_end"};
        od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("python"));
        od_event_set_text(&event, OD_F_NAME, OD_VIEW("Traceback"));
        od_sink_put(sink, &event);
    }
    s->open = false;
}

/* Every line of a traceback is indented, up to the exception. */
static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct traceback_end *s = state;
    if (od_view_has(line->text, od_view_of(literals[0]))) {
        keep(s, line);
        return OD_TAKE_SHARE;
    }
    if (!s->open || od_view_trim(line->text).n == 0)
        return OD_TAKE_NONE;
    struct od_view text = od_view_trim(line->text);
    if (od_view_starts(text, OD_VIEW("```"))) /* what is quoted of the log ends there */
        end(s, sink);
    s->frames += od_view_starts(text, OD_VIEW("File \""));
    bool indented = line->text.p[0] == ' ' || line->text.p[0] == '\t';
    s->open = indented || od_view_starts(text, OD_VIEW("File \""));
    return OD_TAKE_NONE;
}

static void release(void *state)
{
    od_buf_done(&((struct traceback_end *)state)->kept);
}

const struct od_reader od_reader_traceback_end = {
    .name = "traceback_end",
    .literals = literals,
    .state_size = sizeof(struct traceback_end),
    .release = release,
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = end,
};
