#include "tests/unit/case/script.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void put_text(struct od_event *event, enum od_field field, const char *text)
{
    if (text)
        od_event_set_text(event, field, od_view_of(text));
}

static void put_tensor(struct od_event *event, const char *text)
{
    struct od_field_value shape = {.field = OD_F_SHAPE, .as.shape = &event->shape};
    struct od_field_value dtype = {.field = OD_F_DTYPE, .as.dtype = OD_FLOAT32};
    if (!text)
        return;
    /* "~" marks a message that names no element type. */
    bool typed = text[0] != '~';
    ck_assert(od_shape_parse(od_view_of(typed ? text : text + 1), &event->shape));
    od_event_set(event, &shape);
    if (typed)
        od_event_set(event, &dtype);
}

void script_put(const struct od_sink *sink, const struct said *said)
{
    char text[64];
    int n = snprintf(text, sizeof text, "words of line %u", (unsigned)said->line);
    struct od_place place = {.rank = {.n = said->rank - 1, .known = said->rank > 0}};
    struct od_line line = {
        .text = {text, (size_t)n}, .place = &place, .lane = (uint32_t)said->rank};
    struct od_event event = {.kind = said->kind,
                             .at = {.source = said->source, .line = said->line, .nlines = 1}};
    struct od_bytes requested = {0};
    event.line = &line;
    event.excerpt = line.text;
    line.at = event.at;
    put_text(&event, OD_F_ALLOCATOR, said->allocator);
    put_text(&event, OD_F_DEVICE, said->device);
    put_text(&event, OD_F_OP, said->op);
    put_text(&event, OD_F_NAME, said->name);
    put_text(&event, OD_F_VALUE, said->value);
    put_text(&event, OD_F_SPACE, said->space);
    put_tensor(&event, said->shape);
    if (said->requested) {
        ck_assert(od_bytes_parse(od_view_of(said->requested), OD_UNIT_BINARY, &requested));
        od_event_set_bytes(&event, OD_F_REQUESTED, requested);
    }
    if (said->rounded > 0)
        od_event_set_bytes(&event, OD_F_ROUNDED, od_bytes_exact(said->rounded));
    if (said->pid > 0)
        od_event_set_count(&event, OD_F_PID, said->pid);
    od_sink_put(sink, &event);
    memset(text, '#', sizeof text);
}

const struct od_case *script_fold(const struct said *script, size_t n)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (size_t i = 0; i < n && script[i].kind != OD_EV_NONE; i++)
        script_put(&sink, &script[i]);
    return od_case_freeze(builder);
}
