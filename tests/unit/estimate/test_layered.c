#include "estimate/checkpoint.h"
#include "estimate/recurrent.h"
#include "estimate/resize.h"
#include "estimate/saved.h"
#include "estimate/unroll.h"
#include "facts/module_count.h"
#include "layers.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"

/* gates x width x (input + width + 2 biases) a layer and direction, counted by hand */
static const struct {
    const char *type;
    uint64_t parameters, in, out, layers, directions;
} recurrent[] = {
    {"LSTM", 4 * 8 * (5 + 8 + 2), 5, 8, 1, 1},
    {"LSTM", 4 * 8 * (5 + 8 + 2) + 2 * 4 * 8 * (8 + 8 + 2), 5, 8, 3, 1},
    {"GRU", 2 * 3 * 8 * (5 + 8 + 2), 5, 16, 1, 2},
    {"GRU", 2 * 3 * 8 * (5 + 8 + 2) + 2 * 3 * 8 * (16 + 8 + 2), 5, 16, 2, 2},
    {"RNN", 8 * (5 + 8), 5, 8, 1, 1}, /* without biases */
    {"LSTM", 12345, 5, 8, 0, 0},
};

START_TEST(stacks)
{
    struct od_layer layer = od_layer_blank();
    struct od_recurrent told = {0};
    layer.type = od_view_of(recurrent[_i].type);
    layer.parameters = od_count_of(recurrent[_i].parameters);
    bool known = od_recurrent_count(&layer, recurrent[_i].in, recurrent[_i].out, &told);
    ck_assert_int_eq(known, recurrent[_i].layers > 0);
    ck_assert_uint_eq(told.layers, recurrent[_i].layers);
    ck_assert_uint_eq(told.directions, recurrent[_i].directions);
    if (known && recurrent[_i].layers == 1 && recurrent[_i].directions == 1 && _i == 0)
        ck_assert_uint_eq(od_recurrent_input(&layer, recurrent[_i].out, 1, 9), recurrent[_i].in);
}
END_TEST

/* Four convolutions of 4x8x8, ReLUs between: every output 1024 bytes. */
static const struct row stack[] = {
    {"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 40, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
    {"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 148, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
    {"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 148, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
    {"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 148, 0, NULL},
    {NULL, 0, NULL, 0, 0, NULL},
};

static const struct {
    enum od_checkpointing how;
    uint64_t every;
    bool offload;
    uint64_t segments, kept;
} checkpoints[] = {
    {OD_CKPT_EVERY, 1, false, 4, 256 + 3 * 1024},
    {OD_CKPT_EVERY, 2, false, 2, 256 + 1024},
    {OD_CKPT_EVERY, 9, false, 1, 256},
    {OD_CKPT_FULL, 1, false, 2, 256 + 1024},
    {OD_CKPT_NONE, 1, true, 7, 0},
};

START_TEST(segments)
{
    struct od_arena *arena = od_arena_new();
    struct od_model model = layers_model(OD_MODEL_TORCHSUMMARY, stack);
    struct od_workload w = od_workload_defaults(&model);
    struct od_saved s;
    w.checkpointing = checkpoints[_i].how;
    w.checkpoint_every = checkpoints[_i].every;
    w.offload_activations = checkpoints[_i].offload;
    od_saved_of(&w, arena, &s);
    ck_assert_ptr_nonnull(od_saved_checkpoint(&w, arena, &s));
    uint64_t begun = 0, again = 0;
    for (size_t i = 0; i < s.nlayers; i++) {
        begun += s.layers[i].begins;
        again += s.layers[i].again;
    }
    ck_assert_uint_eq(begun, checkpoints[_i].segments);
    ck_assert_uint_eq(s.per_sample.n, checkpoints[_i].kept);
    ck_assert_uint_eq(again, 256 + 3 * 1024);
    od_model_done(&model);
    od_arena_free(arena);
}
END_TEST

/* The same for images twice as high: maps grow, one number for each channel does not, the dense
 * layer over the flattened map gets as many weights more. */
START_TEST(resized)
{
    static const struct row rows[] = {
        {"InputLayer", OD_LAYER_INPUT, "(None,8,8,1)", 0, 0, NULL},
        {"Conv2D", OD_LAYER_CONV, "(None,8,8,4)", 40, 0, NULL},
        {"GlobalAveragePooling2D", OD_LAYER_AVG_POOL, "(None,1,1,4)", 0, 0, NULL},
        {"MaxPooling2D", OD_LAYER_MAX_POOL, "(None,4,4,4)", 0, 0, NULL},
        {"Flatten", OD_LAYER_VIEW, "(None,64)", 0, 0, NULL},
        {"Dense", OD_LAYER_LINEAR, "(None,10)", 650, 0, NULL},
        {NULL, 0, NULL, 0, 0, NULL},
    };
    struct od_arena *arena = od_arena_new();
    struct od_model model = layers_model(OD_MODEL_KERAS, rows);
    struct od_workload w = od_workload_defaults(&model);
    const char *note;
    ck_assert_ptr_eq(od_model_resize(&w, arena, &note), &model);
    w.image_h = 16;
    w.image_w = 8;
    const struct od_model *large = od_model_resize(&w, arena, &note);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(large->layers.items[1].output.dims[1], 16);
    ck_assert_uint_eq(large->layers.items[1].output.dims[2], 8);
    ck_assert_uint_eq(large->layers.items[2].output.dims[1], 1);
    ck_assert_uint_eq(large->layers.items[4].output.dims[1], 128);
    ck_assert_uint_eq(large->layers.items[5].parameters.n, 1290);
    ck_assert_uint_eq(large->parameters.n, model.parameters.n + 640);
    ck_assert_uint_eq(model.layers.items[5].parameters.n, 650);
    od_model_done(&model);
    od_arena_free(arena);
}
END_TEST

static struct od_layer module(const char *type, enum od_layer_kind kind, uint64_t in, uint64_t out,
                              uint32_t depth)
{
    struct od_layer layer = od_layer_blank();
    layer.type = od_view_of(type);
    layer.kind = kind;
    layer.in_features = od_count_of(in);
    layer.out_features = od_count_of(out);
    layer.depth = depth;
    if (kind == OD_LAYER_CONV)
        layer.kernel = layer.padding = (struct od_shape){.dims = {3, 3}, .n = 2, .known = true};
    layer.padding.dims[0] = layer.padding.dims[1] = 1;
    return layer;
}

/* Printed modules alone: sizes and parameters follow, the one ReLU works behind both norms, the
 * shortcut reads what the block was given. */
START_TEST(unrolled)
{
    struct od_arena *arena = od_arena_new();
    struct od_model model = {.format = OD_MODEL_MODULE_TREE};
    const struct od_layer rows[] = {
        module("Net", OD_LAYER_CONTAINER, 0, 0, 0),
        module("Conv2d", OD_LAYER_CONV, 3, 4, 1),
        module("Block", OD_LAYER_CONTAINER, 0, 0, 1),
        module("Conv2d", OD_LAYER_CONV, 4, 8, 2),
        module("BatchNorm2d", OD_LAYER_BATCH_NORM, 0, 8, 2),
        module("ReLU", OD_LAYER_RELU, 0, 0, 2),
        module("Conv2d", OD_LAYER_CONV, 8, 8, 2),
        module("BatchNorm2d", OD_LAYER_BATCH_NORM, 0, 8, 2),
        module("Sequential", OD_LAYER_CONTAINER, 0, 0, 2),
        module("Conv2d", OD_LAYER_CONV, 4, 8, 3),
    };
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++)
        od_vec_push(&model.layers, rows[i]);
    model.layers.items[3].stride = (struct od_shape){.dims = {2}, .n = 1, .known = true};
    model.layers.items[9].stride = model.layers.items[3].stride;
    model.layers.items[8].name = OD_VIEW("downsample");
    struct od_workload w = od_workload_defaults(&model);
    const char *note;
    w.image_h = w.image_w = 32;
    const struct od_model *whole = od_model_unroll(&w, arena, &note);
    ck_assert_ptr_null(note);
    ck_assert_uint_eq(whole->layers.n, model.layers.n + 1);
    const struct od_layer *last = &whole->layers.items[whole->layers.n - 1];
    ck_assert_uint_eq(whole->layers.items[1].output.dims[2], 32);
    ck_assert_uint_eq(whole->layers.items[3].output.dims[2], 16);
    ck_assert_int_eq(whole->layers.items[5].kind, OD_LAYER_RELU);
    ck_assert_int_eq(whole->layers.items[8].kind, OD_LAYER_RELU);
    ck_assert_uint_eq(last->output.dims[2], 16);
    ck_assert_uint_eq(last->parameters.n, 4 * 8 * 9 + 8);
    ck_assert_uint_eq(whole->layers.items[4].parameters.n, 16);
    od_model_done(&model);
    od_arena_free(arena);
}
END_TEST

Suite *od_layered_suite(void)
{
    Suite *suite = suite_create("layered");
    TCase *tests = tcase_create("layered");
    tcase_add_loop_test(tests, stacks, 0, OD_COUNT_OF(recurrent));
    tcase_add_loop_test(tests, segments, 0, OD_COUNT_OF(checkpoints));
    tcase_add_test(tests, resized);
    tcase_add_test(tests, unrolled);
    suite_add_tcase(suite, tests);
    return suite;
}
