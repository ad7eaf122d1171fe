#include "tests/unit/attribute/make.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

void od_scenario_init(struct od_scenario *s)
{
    memset(s, 0, sizeof *s);
    s->arena = od_arena_new();
    s->c.arena = s->arena;
    s->dump.allocator = OD_VIEW("GPU_0_bfc");
    s->dump.has_header = true;
    s->next_address = 0x7f0000000000;
}

void od_scenario_done(struct od_scenario *s)
{
    for (size_t i = 0; i < s->c.allocators.n; i++)
        od_allocator_free(s->c.allocators.items[i]);
    for (size_t i = 0; i < s->c.models.n; i++)
        od_model_done(&s->c.models.items[i]);
    od_vec_done(&s->c.allocators);
    od_vec_done(&s->c.models);
    od_vec_done(&s->c.incidents);
    od_vec_done(&s->c.settings);
    od_dump_done(&s->dump);
    od_arena_free(s->arena);
}

void od_scenario_region(struct od_scenario *s)
{
    struct od_region region = {.address = s->next_address, .first_chunk = s->dump.chunks.n};
    if (s->dump.regions.n > 0)
        s->dump.chunks.items[s->dump.chunks.n - 1].next = OD_HANDLE_END;
    s->next_handle++;
    od_vec_push(&s->dump.regions, region);
}

void od_scenario_chunk(struct od_scenario *s, uint64_t bytes, bool in_use)
{
    if (s->dump.regions.n == 0)
        od_scenario_region(s);
    struct od_chunk chunk = {
        .address = s->next_address, .bytes = bytes, .next = s->next_handle++, .in_use = in_use};
    s->next_address += bytes;
    s->dump.regions.items[s->dump.regions.n - 1].nchunks++;
    od_vec_push(&s->dump.chunks, chunk);
}

void od_scenario_chunks(struct od_scenario *s, const uint64_t *sizes, unsigned count)
{
    for (; *sizes != 0; sizes++) {
        for (unsigned i = 0; i < count; i++)
            od_scenario_chunk(s, *sizes, true);
    }
}

const struct od_allocator *od_scenario_close(struct od_scenario *s)
{
    struct od_allocator *allocator = od_allocator_new(&s->dump);
    od_vec_push(&s->c.allocators, allocator);
    return allocator;
}

void od_scenario_fails(struct od_scenario *s, const char *shape, const char *op)
{
    struct od_incident incident = {.id = 1, .kind = OD_INC_DEVICE_ALLOC_FAILED, .dump = 1};
    if (!od_shape_parse(od_view_of(shape), &incident.tensor.shape))
        abort();
    incident.tensor.dtype = OD_FLOAT32;
    incident.tensor.op = od_view_of(op);
    od_vec_push(&s->c.incidents, incident);
}

void od_scenario_setting(struct od_scenario *s, const char *name, const char *value)
{
    struct od_setting setting = {.name = od_view_of(name),
                                 .id = od_setting_named(od_view_of(name)),
                                 .value = od_view_of(value)};
    od_vec_push(&s->c.settings, setting);
}

struct od_model *od_scenario_model(struct od_scenario *s)
{
    struct od_model model = {.format = OD_MODEL_KERAS, .framework = OD_VIEW("tensorflow")};
    od_vec_push(&s->c.models, model);
    return &s->c.models.items[s->c.models.n - 1];
}

void od_scenario_layer(struct od_scenario *s, const char *name, const char *type,
                       const char *output, uint64_t parameters)
{
    struct od_model *model = &s->c.models.items[s->c.models.n - 1];
    struct od_layer layer = od_layer_blank();
    layer.name = od_view_of(name);
    layer.type = od_view_of(type);
    layer.kind = od_layer_kind_find(layer.type);
    layer.parameters = od_count_of(parameters);
    layer.noutputs = 1;
    if (!od_shape_parse(od_view_of(output), &layer.output))
        abort();
    od_vec_push(&model->layers, layer);
}

const uint64_t od_small_net_weights[] = {5632,     256,  256,   256, 256, 256,
                                         10108928, 2560, 16896, 256, 0};
const uint64_t od_small_net_trained[] = {5632, 256, 256, 256, 10108928, 2560, 16896, 256, 0};

const uint64_t od_small_net_step[] = {192000, 2695680, 2695680, 2695680, 674048, 0};

void od_scenario_small_net(struct od_scenario *s)
{
    (void)od_scenario_model(s);
    od_scenario_layer(s, "input_1", "InputLayer", "(None, 20, 20, 3)", 0);
    od_scenario_layer(s, "conv", "Conv2D", "(None, 18, 18, 52)", 1456);
    od_scenario_layer(s, "bn", "BatchNormalization", "(None, 18, 18, 52)", 208);
    od_scenario_layer(s, "pool", "MaxPooling2D", "(None, 9, 9, 52)", 0);
    od_scenario_layer(s, "flatten", "Flatten", "(None, 4212)", 0);
    od_scenario_layer(s, "dense", "Dense", "(None, 600)", 2527800);
    od_scenario_layer(s, "out", "Dense", "(None, 7)", 4207);
}
