#include "tests/shapes/written.h"

#include "base/mem.h"
#include "case/builder.h"
#include "facts/dump.h"
#include "facts/model.h"
#include "input/open.h"

static void write_value(struct od_buf *to, const struct od_field_value *value)
{
    od_buf_printf(to, " %s=", od_field_name(value->field));
    switch (od_field_type(value->field)) {
    case OD_T_BYTES:
        od_buf_printf(to, "%llu..%llu", (unsigned long long)value->as.bytes.lo,
                      (unsigned long long)value->as.bytes.hi);
        break;
    case OD_T_COUNT:
        od_buf_printf(to, "%llu", (unsigned long long)value->as.count);
        break;
    case OD_T_NUMBER:
        od_buf_printf(to, "%a", value->as.number);
        break;
    case OD_T_TEXT:
        od_buf_add(to, value->as.text);
        break;
    case OD_T_DTYPE:
        od_buf_printf(to, "%d", (int)value->as.dtype);
        break;
    case OD_T_SHAPE:
        for (size_t i = 0; i < value->as.shape->n; i++)
            od_buf_printf(to, "%llu,", (unsigned long long)value->as.shape->dims[i]);
        break;
    }
}

static void write_prov(struct od_buf *to, const struct od_prov *at)
{
    od_buf_printf(to, "%u:%llu+%u@%llu ", at->source, (unsigned long long)at->line, at->nlines,
                  (unsigned long long)at->offset);
}

static void write_count(struct od_buf *to, struct od_count count)
{
    od_buf_printf(to, "|%d %llu", (int)count.known, (unsigned long long)count.n);
}

static void write_line(struct od_buf *to, const struct od_line *line)
{
    write_prov(to, &line->at);
    od_buf_add(to, line->text);
    od_buf_add_char(to, '|');
    od_buf_add(to, line->stamp);
    if (line->place) {
        od_buf_add_char(to, '|');
        od_buf_add(to, line->place->host);
        od_buf_add_char(to, '|');
        od_buf_add(to, line->place->process);
        write_count(to, line->place->pid);
        write_count(to, line->place->rank);
    }
}

static void write_event(void *self, const struct od_event *event)
{
    struct od_buf *to = self;
    od_buf_printf(to, "%s %s ", od_event_kind_name(event->kind), event->rule);
    write_prov(to, &event->at);
    od_buf_add(to, event->excerpt);
    for (size_t i = 0; i < event->nfields; i++)
        write_value(to, &event->fields[i]);
    if (event->kind == OD_EV_DUMP && event->dump)
        od_buf_printf(to, " dump %zu %zu %zu", event->dump->chunks.n, event->dump->regions.n,
                      event->dump->bins.n);
    if (event->kind == OD_EV_MODEL && event->model)
        od_buf_printf(to, " model %zu", event->model->layers.n);
    od_buf_add_str(to, "\n  ");
    if (event->line)
        write_line(to, event->line);
    od_buf_add_char(to, '\n');
}

/* What is written, and the case that the same events become. */
struct both {
    struct od_buf *to;
    struct od_sink folded;
};

static void take_event(void *self, const struct od_event *event)
{
    struct both *both = self;
    write_event(both->to, event);
    od_sink_put(&both->folded, event);
}

/* Of what is kept with the shape of a line depends where points go. */
static void write_series(struct od_buf *to, const struct od_case *c)
{
    for (size_t i = 0; i < c->series.n; i++) {
        const struct od_series *s = &c->series.items[i];
        od_buf_printf(to, "%s %d of %llu points, %a %a %a %a ", od_series_metric_name(s->metric),
                      (int)s->x, (unsigned long long)s->points, s->first, s->min, s->max, s->last);
        od_buf_add(to, s->device);
        od_buf_add(to, s->process);
        od_buf_add(to, s->name);
        write_prov(to, &s->at);
        write_prov(to, &s->last_at);
        for (size_t k = 0; k < s->nsamples; k++)
            od_buf_printf(to, "%a:%a ", s->samples[k].x, s->samples[k].value);
        od_buf_add_char(to, '\n');
    }
}

void od_write_scan(const struct od_written_scan *asked, struct od_view log, struct od_buf *ret)
{
    struct od_arena *arena = od_arena_new();
    struct od_input *input = od_input_new(asked->limits, asked->diags);
    struct od_scan_options options = {.no_shapes = asked->no_shapes,
                                      .candidates = asked->candidates,
                                      .arena = arena,
                                      .diags = asked->diags};
    od_input_set_block(input, asked->block_bytes);
    if (od_input_add_bytes(input, "log", log) == OD_OK) {
        struct od_case_builder *builder = od_case_builder_new();
        struct both both = {ret, od_case_builder_sink(builder)};
        struct od_sink sink = {.event = take_event, .self = &both};
        struct od_scan_stats stats = od_scan(input, asked->rules, &options, &sink);
        od_buf_printf(ret, "lines %llu, unknown %llu, crowded %llu\n",
                      (unsigned long long)stats.lines, (unsigned long long)stats.unknown,
                      (unsigned long long)stats.crowded);
        const struct od_case *c = od_case_freeze(builder);
        write_series(ret, c);
        od_case_free(c);
    }
    od_input_free(input);
    od_arena_free(arena);
}
