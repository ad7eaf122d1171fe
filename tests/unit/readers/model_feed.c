#include "tests/unit/readers/model_feed.h"

#include "tests/unit/readers/offered.h"
#include "tests/unit/suite.h"

#include "base/mem.h"

#include <inttypes.h>

static const struct od_place nowhere;

static void write_shape(struct od_buf *to, const char *mark, const struct od_shape *shape)
{
    if (!shape->known)
        return;
    od_buf_printf(to, " %s[", mark);
    for (uint32_t i = 0; i < shape->n; i++) {
        if (i > 0)
            od_buf_add_char(to, ',');
        if (shape->dims[i] == OD_DIM_UNKNOWN)
            od_buf_add_char(to, '?');
        else
            od_buf_printf(to, "%" PRIu64, shape->dims[i]);
    }
    od_buf_add_char(to, ']');
}

static void write_count(struct od_buf *to, const char *mark, struct od_count count)
{
    if (count.known)
        od_buf_printf(to, " %s=%" PRIu64, mark, count.n);
}

static void write_module(struct od_buf *to, const struct od_layer *layer)
{
    write_count(to, "in", layer->in_features);
    write_count(to, "out", layer->out_features);
    write_shape(to, "k", &layer->kernel);
    write_shape(to, "s", &layer->stride);
    write_count(to, "g", layer->groups);
    write_count(to, "pad", layer->padding_idx);
    write_count(to, "num", layer->num_layers);
    if (layer->bias != OD_CANNOT_TELL)
        od_buf_add_str(to, layer->bias == OD_YES ? " bias" : " nobias");
    if (layer->bidirectional == OD_YES)
        od_buf_add_str(to, " both");
    if (layer->dropout >= 0)
        od_buf_printf(to, " drop=%g", layer->dropout);
    if (layer->inplace)
        od_buf_add_str(to, " inplace");
    if (layer->repeat > 0)
        od_buf_printf(to, " x%" PRIu64, layer->repeat);
}

static void write_layer(struct od_buf *to, const struct od_model *model,
                        const struct od_layer *layer)
{
    od_buf_add_repeat(to, ".", layer->depth);
    od_buf_add(to, layer->name);
    od_buf_add_char(to, ':');
    od_buf_add(to, layer->type);
    od_buf_printf(to, " %s", od_layer_kind_name(layer->kind));
    write_shape(to, "<-", &layer->input);
    write_shape(to, "", &layer->output);
    if (layer->output_cut)
        od_buf_add_char(to, '~');
    if (layer->noutputs > 1)
        od_buf_printf(to, "*%" PRIu32, layer->noutputs);
    write_count(to, "p", layer->parameters);
    if (layer->parameters_slack > 0)
        od_buf_printf(to, "+-%" PRIu64, layer->parameters_slack);
    write_count(to, "t", layer->trainable);
    write_module(to, layer);
    if (layer->recursive)
        od_buf_add_str(to, " recursive");
    for (uint32_t i = 0; i < layer->ninputs; i++)
        od_buf_printf(to, "%s%" PRIu32, i == 0 ? " <" : ",",
                      model->inputs.items[layer->first_input + i]);
    od_buf_add_char(to, '\n');
}

static void write_model(void *self, const struct od_event *event)
{
    struct od_buf *to = self;
    const struct od_model *model = event->model;
    if (event->kind != OD_EV_MODEL)
        return;
    od_buf_printf(to, "%s ", od_model_format_name(model->format));
    od_buf_add(to, model->name);
    od_buf_printf(to, " @%" PRIu64 "+%" PRIu32, model->at.line, model->at.nlines);
    if (model->complete)
        od_buf_add_str(to, " complete");
    write_count(to, "p", model->parameters);
    if (model->parameters_slack > 0)
        od_buf_printf(to, "+-%" PRIu64, model->parameters_slack);
    write_count(to, "t", model->trainable);
    write_count(to, "n", model->non_trainable);
    write_count(to, "batch", model->batch);
    if (model->weight_bytes.known)
        od_buf_printf(to, " bytes=%" PRIu64, model->weight_bytes.n);
    if (model->unreadable_rows > 0)
        od_buf_printf(to, " unreadable=%" PRIu64, model->unreadable_rows);
    od_buf_add_char(to, '\n');
    for (size_t i = 0; i < model->layers.n; i++)
        write_layer(to, model, &model->layers.items[i]);
}

struct od_buf model_feed(const struct od_reader *reader, struct od_view text)
{
    struct od_buf heard = {0};
    const struct od_sink sink = {write_model, &heard};
    struct od_arena *arena = od_arena_new();
    struct od_reading reading = od_reading_begin(reader, arena);
    struct od_view one;
    uint64_t number = 0;
    while (od_view_cut(&text, '\n', &one)) {
        struct od_line line = {.at = {.nlines = 1, .line = ++number}, .lane = 1, .place = &nowhere};
        if (od_view_take(&one, OD_VIEW("@2 ")))
            line.lane = 2;
        line.text = one;
        (void)od_reading_line(&reading, &line, reading_is_hit(&reading, one), &sink);
    }
    od_reading_end(&reading, &sink);
    od_reading_done(&reading);
    od_arena_free(arena);
    return heard;
}

/* ---- cuts ---- */

/* Numbers that a line of a layer tells: "p=" and what follows. */
static struct od_view part_of(struct od_view line, const char *mark)
{
    size_t at = od_view_find(line, od_view_of(mark), 0);
    struct od_view rest = od_view_from(line, at == OD_VIEW_NONE ? line.n : at);
    return od_view_head(rest, od_view_find_char(rest, ' ', 1));
}

/* A layer of a cut text is one of the whole's, with the same number of parameters or none. */
static bool is_told(struct od_view whole, struct od_view line)
{
    struct od_view parameters = part_of(line, " p=");
    struct od_view name = od_view_head(line, od_view_find_char(line, ':', 0));
    struct od_view one;
    while (od_view_take(&name, OD_VIEW(".")))
        ;
    while (od_view_cut(&whole, '\n', &one)) {
        while (od_view_take(&one, OD_VIEW(".")))
            ;
        bool same = parameters.n == 0 || od_view_eq(part_of(one, " p="), parameters);
        if (same && od_view_starts(one, name))
            return true;
    }
    return false;
}

static const char *check_cut(struct od_view whole, struct od_view cut, bool has_tail)
{
    struct od_view one;
    while (od_view_cut(&cut, '\n', &one)) {
        bool head = od_view_find(one, OD_VIEW(" @"), 0) != OD_VIEW_NONE;
        if (head && od_view_has(one, OD_VIEW(" complete")) && !has_tail)
            return "a cut text is called complete";
        if (!head && !is_told(whole, one))
            return "a layer from nowhere";
    }
    return NULL;
}

const char *model_feed_cuts(const struct od_reader *reader, struct od_view text)
{
    struct od_buf whole = model_feed(reader, text);
    struct od_view told = od_buf_view(&whole);
    const char *wrong = NULL;
    for (size_t at = 0; !wrong && at < text.n; at++) {
        if (text.p[at] != '\n')
            continue;
        struct od_view head = od_view_head(text, at + 1), tail = od_view_from(text, at + 1);
        bool totals =
            od_view_has(head, OD_VIEW("Total params")) || od_view_has(head, OD_VIEW("\n)"));
        struct od_buf before = model_feed(reader, head), behind = model_feed(reader, tail);
        wrong = check_cut(told, od_buf_view(&before), totals);
        bool heading =
            od_view_has(tail, OD_VIEW("Layer (type")) || od_view_has(tail, OD_VIEW("| Name"));
        if (!wrong)
            wrong = check_cut(told, od_buf_view(&behind), heading);
        od_buf_done(&before);
        od_buf_done(&behind);
    }
    od_buf_done(&whole);
    return wrong;
}

Suite *model_feed_suite(const char *name, const TTest *whole, const TTest *cut, int rows)
{
    Suite *suite = od_suite_loop(name, whole, rows);
    TCase *cuts = tcase_create("cuts");
    tcase_add_loop_test(cuts, cut, 0, rows);
    suite_add_tcase(suite, cuts);
    return suite;
}
