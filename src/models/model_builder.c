#include "models/model_builder.h"

#include "models/public_vision.h"

enum {
    LAYERS_MAX = 32768,
    FOREIGN_MAX = 6, /* maximum number of other lines within a table, such as warnings */
    TEXT_MAX = 1000
};

struct od_view od_model_text(struct od_model_builder *b, struct od_view text)
{
    struct od_model_texts *texts = b->texts;
    text = od_view_head(od_view_trim(text), TEXT_MAX);
    if (text.n == 0)
        return (struct od_view){0};
    uint64_t *index = od_map_at(&texts->index, text);
    if (*index == 0) {
        od_vec_push(&texts->items, od_arena_view(texts->arena, text));
        *index = texts->items.n;
    }
    return texts->items.items[*index - 1];
}

struct od_layer *od_model_add(struct od_model_builder *b, const struct od_layer *layer)
{
    struct od_model *model = &b->model;
    if (model->layers.n >= LAYERS_MAX) {
        b->lost++;
        return NULL;
    }
    od_vec_push(&model->layers, *layer);
    struct od_layer *added = &model->layers.items[model->layers.n - 1];
    added->name = od_model_text(b, layer->name);
    added->type = od_model_text(b, layer->type);
    if (added->at.nlines == 0)
        added->at = b->at;
    if (added->name.n > 0)
        *od_map_at(&b->names, added->name) = model->layers.n;
    return added;
}

uint32_t od_model_find(const struct od_model_builder *b, struct od_view name)
{
    const uint64_t *index = od_map_get(&b->names, name);
    return index ? (uint32_t)(*index - 1) : UINT32_MAX;
}

void od_model_unreadable(struct od_model_builder *b)
{
    if (b->model.unreadable_rows++ == 0)
        b->model.unreadable_at = b->at;
}

/* Reads the number of a total; unknown if it is rounded ("3.5M"). */
static struct od_count total_of(struct od_view text)
{
    uint64_t value;
    size_t size = od_view_find(text, OD_VIEW(" ("), 0);
    return od_num_parse_u64(od_view_trim(od_view_head(text, size)), &value) ? od_count_of(value)
                                                                            : (struct od_count){0};
}

/* Reads "Input size (MB)" and its number. torchsummary divides by 1024 twice, torchinfo by 1e6;
 * newer versions choose the unit by size. */
static struct od_bytes size_of(const struct od_model_builder *b, struct od_view head,
                               struct od_view text)
{
    enum { COUNTED_TOO = 1000 }; /* a total may also count a few counters of norms */
    static const char *const units[] = {"kB", "MB", "GB"};
    struct od_bytes bytes;
    enum od_unit_base base =
        b->dialect->format == OD_MODEL_TORCHINFO ? OD_UNIT_DECIMAL : OD_UNIT_BINARY;
    for (size_t i = 0; i < OD_COUNT_OF(units); i++)
        if (od_view_has(head, od_view_of(units[i])) &&
            od_bytes_parse_unit(od_view_trim(text), od_view_of(units[i]), base, &bytes)) {
            bytes.lo -= bytes.n / COUNTED_TOO;
            return bytes;
        }
    return (struct od_bytes){0};
}

bool od_model_take_total(struct od_model_builder *b, struct od_view text)
{
    struct od_model *model = &b->model;
    struct od_view head = od_view_trim(text), rest;
    size_t colon = od_view_find_char(head, ':', 0);
    if (colon == OD_VIEW_NONE)
        return false;
    rest = od_view_from(head, colon + 1);
    head = od_view_head(head, colon);
    struct {
        const char *words;
        struct od_count *to;
    } totals[] = {{"Total params", &model->parameters},
                  {"Trainable params", &model->trainable},
                  {"Non-trainable params", &model->non_trainable},
                  {"Optimizer params", &b->optimizer}};
    for (size_t i = 0; i < OD_COUNT_OF(totals); i++) {
        if (!od_view_eq_str(head, totals[i].words))
            continue;
        *totals[i].to = total_of(rest);
        b->has_totals = true;
        return true;
    }
    static const char *const others[] = {"Total params (",         "Trainable params (",
                                         "Non-trainable params (", "Total mult-adds",
                                         "Input size (",           "Forward/backward pass size (",
                                         "Params size (",          "Estimated Total Size ("};
    for (size_t i = 0; i < OD_COUNT_OF(others); i++) {
        if (!od_view_starts(head, od_view_of(others[i])))
            continue;
        b->has_totals = b->has_totals || i == 0;
        if (od_view_starts(head, OD_VIEW("Input size (")))
            model->input_bytes = size_of(b, head, rest);
        return true;
    }
    return false;
}

void od_model_mark_containers(struct od_model *model)
{
    for (size_t i = 0; i + 1 < model->layers.n; i++) {
        struct od_layer *layer = &model->layers.items[i];
        if (layer->kind == OD_LAYER_OTHER && model->layers.items[i + 1].depth > layer->depth)
            layer->kind = OD_LAYER_CONTAINER;
    }
}

static void builder_clear(struct od_model_builder *b)
{
    od_model_done(&b->model);
    od_map_done(&b->names);
    if (b->own && b->dialect->release)
        b->dialect->release(b->own);
    od_mem_free(b->own);
    *b = (struct od_model_builder){.dialect = b->dialect, .texts = b->texts};
}

static void builder_begin(struct od_model_builder *b, const struct od_line *line)
{
    const struct od_model_dialect *dialect = b->dialect;
    b->at = line->at;
    b->lane = line->lane;
    b->own = od_mem_alloc(1, dialect->own_size);
    b->model = (struct od_model){
        .format = dialect->format, .framework = od_view_of(dialect->framework), .at = line->at};
}

static void emit(struct od_model_builder *b, const struct od_sink *sink)
{
    struct od_model *model = &b->model;
    const struct od_line line = {.text = b->excerpt, .at = model->at, .lane = b->lane};
    struct od_event event = {.kind = OD_EV_MODEL,
                             .at = model->at,
                             .line = &line,
                             .excerpt = b->excerpt,
                             .rule = b->dialect->name,
                             .model = model};
    if (model->name.n > 0)
        od_event_set_text(&event, OD_F_NAME, model->name);
    od_event_set_text(&event, OD_F_PRODUCER, model->framework);
    od_sink_put(sink, &event);
}

/* Subtracts the optimizer's numbers, which Keras 3 includes in its total. */
static void without_optimizer(struct od_model_builder *b)
{
    uint64_t own;
    if (b->optimizer.known && b->model.parameters.known &&
        !ckd_sub(&own, b->model.parameters.n, b->optimizer.n))
        b->model.parameters.n = own;
}

void od_model_reader_end(void *state, const struct od_sink *sink)
{
    struct od_model_builder *b = state;
    if (!b->open)
        return;
    if (b->dialect->finish)
        b->dialect->finish(b);
    if (b->model.layers.n > 0) {
        without_optimizer(b);
        b->model.unreadable_rows += b->lost;
        b->model.shortened = b->lost > 0;
        b->model.complete = b->headed && b->has_totals && b->lost == 0;
        od_public_vision_recognise(&b->model);
        emit(b, sink);
    }
    builder_clear(b);
}

static enum od_take try_begin(struct od_model_builder *b, const struct od_line *line)
{
    builder_begin(b, line);
    if (!b->dialect->begins(b, line->text)) {
        builder_clear(b);
        return OD_TAKE_NONE;
    }
    b->open = true;
    char room[OD_EXCERPT];
    b->excerpt = od_model_text(b, od_excerpt_cut(line->text, OD_EXCERPT, room));
    return OD_TAKE_SHARE;
}

static void extend(struct od_prov *at, const struct od_prov *line)
{
    uint64_t end = line->line + (line->nlines > 0 ? line->nlines : 1);
    if (line->source == at->source && end > at->line && end - at->line <= UINT32_MAX)
        at->nlines = (uint32_t)(end - at->line);
}

enum od_take od_model_reader_line(void *state, const struct od_line *line,
                                  const struct od_sink *sink)
{
    struct od_model_builder *b = state;
    if (!b->open)
        return try_begin(b, line);
    b->at = line->at;
    enum od_model_line what = b->dialect->line(b, line->text);
    if (what == OD_MODEL_TAKEN) {
        b->foreign = 0;
        extend(&b->model.at, &line->at);
        return OD_TAKE_ALL;
    }
    if (what == OD_MODEL_FOREIGN && ++b->foreign <= FOREIGN_MAX && b->model.layers.n > 0)
        return OD_TAKE_NONE;
    od_model_reader_end(b, sink);
    return try_begin(b, line);
}

void od_model_reader_begin(const struct od_reader *reader, void *state, void *shared,
                           struct od_arena *arena)
{
    struct od_model_builder *b = state;
    b->dialect = reader->dialect;
    b->texts = shared;
    b->texts->arena = arena;
}

void od_model_reader_release(void *state)
{
    builder_clear(state);
}

void od_model_reader_release_shared(void *shared)
{
    struct od_model_texts *texts = shared;
    od_map_done(&texts->index);
    od_vec_done(&texts->items);
}

bool od_model_reader_is_open(const void *state)
{
    return ((const struct od_model_builder *)state)->open;
}
