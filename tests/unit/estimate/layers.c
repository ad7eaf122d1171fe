#include "layers.h"

#include "base/num.h"

#include <check.h>

static void connect(struct od_model *model, struct od_layer *layer, const char *inputs)
{
    struct od_view rest = od_view_of(inputs), word;
    layer->first_input = (uint32_t)model->inputs.n;
    while (od_view_cut(&rest, ' ', &word)) {
        uint64_t index;
        ck_assert(od_num_parse_u64(word, &index));
        od_vec_push(&model->inputs, (uint32_t)index);
        layer->ninputs++;
    }
}

struct od_model layers_model(enum od_model_format format, const struct row *rows)
{
    struct od_model model = {.format = format, .framework = OD_VIEW("pytorch"), .complete = true};
    uint64_t total = 0;
    for (const struct row *row = rows; row->type; row++) {
        struct od_layer layer = od_layer_blank();
        layer.type = layer.name = od_view_of(row->type);
        layer.kind = row->kind;
        layer.parameters = od_count_of(row->parameters);
        layer.depth = row->depth;
        if (row->output)
            ck_assert(od_shape_parse(od_view_of(row->output), &layer.output));
        if (row->inputs)
            connect(&model, &layer, row->inputs);
        total += row->parameters;
        od_vec_push(&model.layers, layer);
    }
    model.parameters = od_count_of(total);
    return model;
}
