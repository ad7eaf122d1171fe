#include "attribute/weights.h"
#include "tests/unit/attribute/make.h"
#include "tests/unit/attribute/suites.h"

#include <string.h>

static const struct od_named *find(const struct od_named_list *list, const char *label)
{
    for (size_t i = 0; i < list->n; i++) {
        if (od_view_eq_str(list->items[i].label, label))
            return &list->items[i];
    }
    return NULL;
}

static const struct od_named *get(const struct od_named_list *list, const char *label)
{
    const struct od_named *named = find(list, label);
    if (!named)
        ck_abort_msg("no %s", label);
    return named;
}

/* One layer after an input: its weights, counted by hand. */
static const struct {
    const char *type, *input, *output;
    uint64_t parameters;
    const char *label;
    uint64_t bytes; /* 0 = there is none */
    const char *shape;
} layers[] = {
    {"Conv2D", "(None, 20, 20, 3)", "(None, 18, 18, 52)", 1456, "x/kernel", 5632, "[3,3,3,52]"},
    {"Conv2D", "(None, 20, 20, 3)", "(None, 18, 18, 52)", 1404, "x/kernel", 5632, "[3,3,3,52]"},
    {"Conv2D", "(None, 20, 20, 3)", "(None, 18, 18, 52)", 1404, "x/bias", 0, NULL},
    {"DepthwiseConv2D", "(None, 9, 9, 52)", "(None, 9, 9, 52)", 520, "x/depthwise_kernel", 2048,
     "[3,3,52,1]"},
    {"Dense", "(None, 4212)", "(None, 600)", 2527800, "x/kernel", 10108928, "[4212,600]"},
    {"Dense", "(None, 4212)", "(None, 600)", 2527800, "x/bias", 2560, "[600]"},
    {"BatchNormalization", "(None, 9, 9, 300)", "(None, 9, 9, 300)", 1200, "x/moving_variance",
     1280, "[300]"},
    {"Embedding", "(None, 80)", "(None, 80, 100)", 500000, "x/embeddings", 2000128, "[5000,100]"},
    {"LSTM", "(None, 80, 100)", "(None, 64)", 42240, "x/recurrent_kernel", 65536, "[64,256]"},
    {"LSTM", "(None, 80, 100)", "(None, 64)", 42240, "x/kernel", 102400, "[100,256]"},
    {"GRU", "(None, 80, 100)", "(None, 64)", 31872, "x/kernel", 76800, "[100,192]"},
    {"SeparableConv2D", "(None, 9, 9, 52)", "(None, 9, 9, 80)", 4708, "x/pointwise_kernel", 16640,
     "[1,1,52,80]"},
};

START_TEST(test_layer)
{
    struct od_scenario s;
    od_scenario_init(&s);
    (void)od_scenario_model(&s);
    od_scenario_layer(&s, "in", "InputLayer", layers[_i].input, 0);
    od_scenario_layer(&s, "x", layers[_i].type, layers[_i].output, layers[_i].parameters);
    struct od_named_list list = od_weights_of(&s.c.models.items[0], s.arena);
    const struct od_named *named = find(&list, layers[_i].label);
    ck_assert_uint_eq(list.parameters, layers[_i].parameters);
    if (layers[_i].bytes == 0) {
        ck_assert_ptr_null(named);
    } else {
        struct od_shape want;
        ck_assert_ptr_nonnull(named);
        ck_assert_uint_eq(named->bytes, layers[_i].bytes);
        ck_assert(od_shape_parse(od_view_of(layers[_i].shape), &want));
        ck_assert_uint_eq(named->shape.n, want.n);
        for (uint32_t i = 0; i < want.n; i++)
            ck_assert_uint_eq(named->shape.dims[i], want.dims[i]);
    }
    od_scenario_done(&s);
}
END_TEST

START_TEST(test_net)
{
    struct od_scenario s;
    od_scenario_init(&s);
    od_scenario_small_net(&s);
    struct od_named_list weights = od_weights_of(&s.c.models.items[0], s.arena);
    ck_assert_uint_eq(weights.n, 10);
    ck_assert_uint_eq(weights.parameters, weights.described);
    ck_assert(get(&weights, "bn/gamma")->trained);
    ck_assert(!get(&weights, "bn/moving_mean")->trained);
    size_t n;
    ck_assert_ptr_nonnull(od_named_find(&weights, 256, &n));
    ck_assert_uint_eq(n, 6);
    ck_assert_ptr_null(od_named_find(&weights, 257, &n));
    struct od_named_list half = od_weights_cast(&weights, OD_FLOAT16, s.arena);
    ck_assert_uint_eq(get(&half, "dense/kernel")->bytes, 5054464);
    od_scenario_done(&s);
}
END_TEST

START_TEST(test_outputs)
{
    struct od_scenario s;
    od_scenario_init(&s);
    od_scenario_small_net(&s);
    struct od_named_list one = od_outputs_of(&s.c.models.items[0], s.arena);
    struct od_named_list at = od_outputs_at(&one, 40, OD_FLOAT32, s.arena);
    ck_assert_uint_eq(get(&at, "conv")->bytes, 2695680);
    ck_assert_uint_eq(get(&at, "conv")->shape.dims[0], 40);
    ck_assert_int_eq(get(&at, "input_1")->role, OD_ROLE_INPUT);
    /* a batch beyond all numbers has no outputs, and breaks nothing */
    ck_assert_uint_eq(od_outputs_at(&one, UINT64_MAX / 2, OD_FLOAT32, s.arena).n, 0);
    od_scenario_done(&s);
}
END_TEST

Suite *od_weights_suite(void)
{
    Suite *suite = suite_create("weights");
    TCase *tcase = tcase_create("weights");
    tcase_add_loop_test(tcase, test_layer, 0, (int)(sizeof layers / sizeof *layers));
    tcase_add_test(tcase, test_net);
    tcase_add_test(tcase, test_outputs);
    suite_add_tcase(suite, tcase);
    return suite;
}
