#include "estimate/saved.h"
#include "layers.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"

/*
 * Each expectation is counted by hand, in bytes for one sample: what every layer keeps (float32
 * unless said), then the loss: log-softmax and an int64 label.
 */
static const struct {
    const char *name;
    enum od_model_format format;
    enum od_framework framework;
    enum od_precision precision;
    struct row rows[12];
    uint64_t saved;
} cases[] = {
    /* input 5; relu's output 7; logits 3 */
    {"mlp",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Linear", OD_LAYER_LINEAR, "[-1,7]", 42, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,7]", 0, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,3]", 24, 0, NULL}},
     4 * (5 + 7 + 3) + 8},
    /* the same in 16 bit, the loss in 32 */
    {"mlp amp",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_AMP_BF16,
     {{"Linear", OD_LAYER_LINEAR, "[-1,7]", 42, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,7]", 0, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,3]", 24, 0, NULL}},
     2 * (5 + 7) + 4 * 3 + 8},
    /* dropout: a mask of bytes, its output is the next layer's input */
    {"dropout",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Linear", OD_LAYER_LINEAR, "[-1,7]", 42, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,7]", 0, 0, NULL},
      {"Dropout", OD_LAYER_DROPOUT, "[-1,7]", 0, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,3]", 24, 0, NULL}},
     4 * (5 + 7 + 7 + 3) + 7 + 8},
    /* image 1x8x8; conv kept by its norm, ReLU's output, pool's indices, pool's output */
    {"conv pool",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 40, 0, NULL},
      {"BatchNorm2d", OD_LAYER_BATCH_NORM, "[-1,4,8,8]", 8, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"MaxPool2d", OD_LAYER_MAX_POOL, "[-1,4,4,4]", 0, 0, NULL},
      {"Flatten", OD_LAYER_VIEW, "[-1,64]", 0, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,10]", 650, 0, NULL}},
     4 * (64 + 256 + 256 + 64 + 10) + 8 * 64 + 8},
    /* TensorFlow keeps the pool's output instead of indices */
    {"conv pool tf",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_TENSORFLOW,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 40, 0, NULL},
      {"BatchNorm2d", OD_LAYER_BATCH_NORM, "[-1,4,8,8]", 8, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"MaxPool2d", OD_LAYER_MAX_POOL, "[-1,4,4,4]", 0, 0, NULL},
      {"Flatten", OD_LAYER_VIEW, "[-1,64]", 0, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,10]", 650, 0, NULL}},
     4 * (64 + 256 + 256 + 64 + 10) + 8},
    /* ReLU6 keeps its input beside the next layer's */
    {"relu6",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 36, 0, NULL},
      {"BatchNorm2d", OD_LAYER_BATCH_NORM, "[-1,4,8,8]", 8, 0, NULL},
      {"ReLU6", OD_LAYER_RELU6, "[-1,4,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,2,8,8]", 72, 0, NULL}},
     4 * (64 + 256 + 256 + 256 + 128) + 8 * 64},
    /* a block whose size is not its last layer's: a concatenation that the next layer keeps */
    {"concat",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 36, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 16, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"Join", OD_LAYER_OTHER, "[-1,8,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,2,8,8]", 16, 0, NULL}},
     4 * (64 + 256 + 256 + 512 + 128) + 8 * 64},
    /* connections: both convolutions read row 1, which counts once */
    {"branches",
     OD_MODEL_KERAS,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"InputLayer", OD_LAYER_INPUT, "(None,8,8,1)", 0, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "(None,8,8,1)", 0, 0, "0"},
      {"Conv2D", OD_LAYER_CONV, "(None,8,8,4)", 40, 0, "1"},
      {"Conv2D", OD_LAYER_CONV, "(None,8,8,4)", 40, 0, "1"},
      {"Multiply", OD_LAYER_MULTIPLY, "(None,8,8,4)", 0, 0, "2 3"},
      {"Dense", OD_LAYER_LINEAR, "(None,8,8,2)", 10, 0, "4"}},
     4 * (64 + 256 + 256 + 256 + 128) + 8 * 64},
    /* a map that a 1x1 map's convolution scales: the activations are swish and keep their input */
    {"swish",
     OD_MODEL_KERAS,
     OD_FW_TENSORFLOW,
     OD_PREC_FLOAT32,
     {{"InputLayer", OD_LAYER_INPUT, "(None,8,8,4)", 0, 0, NULL},
      {"DepthwiseConv2D", OD_LAYER_CONV, "(None,8,8,4)", 36, 0, "0"},
      {"Activation", OD_LAYER_ACTIVATION, "(None,8,8,4)", 0, 0, "1"},
      {"GlobalAveragePooling2D", OD_LAYER_AVG_POOL, "(None,1,1,4)", 0, 0, "2"},
      {"Conv2D", OD_LAYER_CONV, "(None,1,1,4)", 20, 0, "3"},
      {"Multiply", OD_LAYER_MULTIPLY, "(None,8,8,4)", 0, 0, "2 4"},
      {"Conv2D", OD_LAYER_CONV, "(None,8,8,2)", 8, 0, "5"}},
     4 * (256 + 256 + 256 + 4 + 4 + 256 + 128) + 8 * 64},
    /* near miss: nothing is scaled, so that they are ReLU */
    {"no swish",
     OD_MODEL_KERAS,
     OD_FW_TENSORFLOW,
     OD_PREC_FLOAT32,
     {{"InputLayer", OD_LAYER_INPUT, "(None,8,8,4)", 0, 0, NULL},
      {"DepthwiseConv2D", OD_LAYER_CONV, "(None,8,8,4)", 36, 0, "0"},
      {"Activation", OD_LAYER_ACTIVATION, "(None,8,8,4)", 0, 0, "1"},
      {"Conv2D", OD_LAYER_CONV, "(None,8,8,2)", 8, 0, "2"}},
     4 * (256 + 256 + 128) + 8 * 64},
    /* the input again, between 0 and 1: no classes and no labels */
    {"autoencoder",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 3 * 4 * 9 + 4, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,3,8,8]", 4 * 3 * 9 + 3, 0, NULL},
      {"Sigmoid", OD_LAYER_SIGMOID, "[-1,3,8,8]", 0, 0, NULL}},
     4 * (192 + 256 + 192)},
    /* near miss: a map for each of four classes */
    {"classes of pixels",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 3 * 4 * 9 + 4, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 4 * 4 * 9 + 4, 0, NULL},
      {"Sigmoid", OD_LAYER_SIGMOID, "[-1,4,8,8]", 0, 0, NULL}},
     4 * (192 + 256 + 256 + 256) + 8 * 64},
    /* layer norm: input and two numbers a row */
    {"norm",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Linear", OD_LAYER_LINEAR, "[-1,6,7]", 42, 0, NULL},
      {"LayerNorm", OD_LAYER_NORM, "[-1,6,7]", 14, 0, NULL},
      {"GELU", OD_LAYER_SMOOTH, "[-1,6,7]", 0, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,6,3]", 24, 0, NULL}},
     4 * (30 + 42 + 42 + 42 + 18) + 6 * 8 + 8 * 6},
    /* torchinfo prints a holder before what it holds; a ConvNeXt block alone by its parameters */
    {"block",
     OD_MODEL_TORCHINFO,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Net", OD_LAYER_CONTAINER, "[1,8,4,4]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[1,8,4,4]", 80, 1, NULL},
      {"GELU", OD_LAYER_SMOOTH, "[1,8,4,4]", 0, 1, NULL},
      {"Block", OD_LAYER_OTHER, "[1,8,4,4]", 8 * 64 + 58 * 8, 1, NULL}},
     /* image, GELU's in, its out, 11 tensors and a row's two numbers, logits and labels */
     4 * (16 + 128 + 128 + 11 * 128 + 2 * 16 + 128) + 8 * 16},
    /* 16 weights over a map that stays as large are no 2x2 kernel over 4 channels: parts joined */
    {"joined",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 36, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 16, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,2,8,8]", 32, 0, NULL}},
     4 * (64 + 256 + 256 + 1024 + 128) + 8 * 64},
    /* what a convolution reads is not smaller than what it gives: interpolated before */
    {"enlarged",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,4,4]", 36, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,4,4]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,2,8,8]", 72, 0, NULL}},
     4 * (16 + 64 + 256 + 128) + 8 * 64},
    /* one number for each channel times a whole map: both factors of the product are kept */
    {"gate",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 36, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4,8,8]", 0, 0, NULL},
      {"AvgPool2d", OD_LAYER_AVG_POOL, "[-1,4,1,1]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,2,1,1]", 8, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,2,1,1]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,4,1,1]", 8, 0, NULL},
      {"Sigmoid", OD_LAYER_SIGMOID, "[-1,4,1,1]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,2,8,8]", 8, 0, NULL}},
     4 * (64 + 256 + 4 + 2 + 4 + 256 + 128) + 8 * 64},
    /* x * sigmoid(x), written in Python, keeps both */
    {"swish",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Conv2d", OD_LAYER_CONV, "[-1,4,8,8]", 36, 0, NULL},
      {"Swish", OD_LAYER_SMOOTH, "[-1,4,8,8]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[-1,2,8,8]", 72, 0, NULL}},
     4 * (64 + 256 + 256 + 256 + 128) + 8 * 64},
    /* half as wide as what was made: a gated branch. The whole, the activated half, the product */
    {"gated",
     OD_MODEL_TORCHSUMMARY,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Linear", OD_LAYER_LINEAR, "[-1,6,16]", 96, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,6,3]", 24, 0, NULL}},
     4 * (30 + 96 + 48 + 48 + 18) + 8 * 6},
    /* as many parameters of its own as channels: what it gives is scaled by them */
    {"scale",
     OD_MODEL_TORCHINFO,
     OD_FW_PYTORCH,
     OD_PREC_FLOAT32,
     {{"Net", OD_LAYER_CONTAINER, "[1,8,4,4]", 0, 0, NULL},
      {"Conv2d", OD_LAYER_CONV, "[1,8,4,4]", 80, 1, NULL},
      {"Mine", OD_LAYER_OTHER, "[1,8,4,4]", 8, 1, NULL},
      {"Conv2d", OD_LAYER_CONV, "[1,8,4,4]", 64, 2, NULL},
      {"GELU", OD_LAYER_SMOOTH, "[1,8,4,4]", 0, 2, NULL}},
     4 * (16 + 128 + 128 + 128 + 128) + 8 * 16},
};

START_TEST(saved)
{
    struct od_arena *arena = od_arena_new();
    struct od_model model = layers_model(cases[_i].format, cases[_i].rows);
    struct od_workload w = od_workload_defaults(&model);
    struct od_saved s;
    w.framework = cases[_i].framework;
    w.precision = cases[_i].precision;
    od_saved_of(&w, arena, &s);
    ck_assert_msg(s.per_sample.n == cases[_i].saved, "%s: %llu, not %llu", cases[_i].name,
                  (unsigned long long)s.per_sample.n, (unsigned long long)cases[_i].saved);
    ck_assert_uint_le(s.per_sample.lo, s.per_sample.n);
    ck_assert_uint_ge(s.per_sample.hi, s.per_sample.n);
    ck_assert(!s.overflow);
    od_model_done(&model);
    od_arena_free(arena);
}
END_TEST

/* Sizes that are nonsense: no crash, and an overflow is said. */
static const struct {
    struct row rows[4];
    bool overflow;
} nonsense[] = {
    {{{"Conv2d", OD_LAYER_CONV, "[-1,4294967295,1073741823,3]", 9, 0, NULL},
      {"ReLU", OD_LAYER_RELU, "[-1,4294967295,1073741823,3]", 0, 0, NULL}},
     true},
    {{{"Linear", OD_LAYER_LINEAR, NULL, 12, 0, NULL}}, false},
    {{{"Linear", OD_LAYER_LINEAR, "[-1,0]", 12, 0, NULL},
      {"Linear", OD_LAYER_LINEAR, "[-1,5]", UINT64_MAX / 2, 0, NULL}},
     false},
    {{{"Mystery", OD_LAYER_OTHER, "[-1,5]", 12, 0, NULL}}, false},
    {{{"LSTM", OD_LAYER_RECURRENT, "[-1,9,5]", 7, 0, NULL}}, false},
    {{{"Conv2d", OD_LAYER_CONV, "[]", 9, 0, NULL}, {"ReLU", OD_LAYER_RELU, "[]", 0, 0, NULL}},
     false},
};

START_TEST(absurd)
{
    struct od_arena *arena = od_arena_new();
    struct od_model model = layers_model(OD_MODEL_TORCHSUMMARY, nonsense[_i].rows);
    struct od_workload w = od_workload_defaults(&model);
    struct od_saved s;
    od_saved_of(&w, arena, &s);
    ck_assert_int_eq(s.overflow, nonsense[_i].overflow);
    od_model_done(&model);
    od_arena_free(arena);
}
END_TEST

Suite *od_saved_suite(void)
{
    Suite *suite = od_suite_loop("saved", saved, (int)OD_COUNT_OF(cases));
    TCase *tcase = tcase_create("absurd");
    tcase_add_loop_test(tcase, absurd, 0, (int)OD_COUNT_OF(nonsense));
    suite_add_tcase(suite, tcase);
    return suite;
}
