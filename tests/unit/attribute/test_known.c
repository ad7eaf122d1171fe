/* Public networks that are recognized by their kernels. */
#include "attribute/attribute.h"
#include "attribute/kernels.h"
#include "attribute/known.h"
#include "estimate/known_nets.h"
#include "tests/unit/attribute/make.h"
#include "tests/unit/attribute/suites.h"

#include <string.h>

static struct od_scenario s;

static void setup(void)
{
    od_scenario_init(&s);
}

static void teardown(void)
{
    od_scenario_done(&s);
}

static size_t find(const char *name)
{
    size_t i = 0;
    while (i < od_net_count() && strcmp(od_net_about(i)->name, name) != 0)
        i++;
    ck_assert_uint_lt(i, od_net_count());
    return i;
}

static const struct od_model *model_of(const char *name)
{
    size_t which = find(name);
    return od_net_model(which, od_net_about(which)->side, 1000, s.arena);
}

/* Weights of the network, each so many times; some left out. */
static void put_weights(const char *name, unsigned copies, size_t left_out)
{
    struct od_named_list weights = od_weights_of(model_of(name), s.arena);
    od_scenario_region(&s);
    for (unsigned c = 0; c < copies; c++)
        for (size_t i = left_out; i < weights.n; i++)
            od_scenario_chunk(&s, weights.items[i].bytes, true);
}

static void put_outputs(const char *name, uint64_t batch)
{
    struct od_named_list outputs = od_outputs_of(model_of(name), s.arena);
    struct od_named_list at = od_outputs_at(&outputs, batch, OD_FLOAT32, s.arena);
    for (size_t i = 0; i < at.n; i++)
        od_scenario_chunk(&s, at.items[i].bytes, true);
}

static const struct od_holding *attributed(const struct od_allocator *allocator)
{
    return od_holding_of(od_attribute(&s.c, NULL, s.arena), allocator);
}

static const struct od_candidate *candidate(const struct od_holding *holding, uint64_t bytes)
{
    for (size_t i = 0; i < holding->allocator->nsizes; i++)
        if (holding->allocator->sizes[i].bytes == bytes && holding->sizes[i].n > 0)
            return &holding->sizes[i].list[0];
    return NULL;
}

static const char *const names[] = {
    "AlexNet",   "VGG-11",       "VGG-13",       "VGG-16",       "VGG-19",       "Inception v1",
    "ResNet-18", "ResNet-34",    "ResNet-50",    "ResNet-101",   "ResNet-152",   "Inception v3",
    "MobileNet", "MobileNet v2", "DenseNet-121", "DenseNet-169", "DenseNet-201",
};

/* The sizes that vote are those of the model's weights, laid out with names. */
START_TEST(test_kernels_are_the_weights)
{
    size_t which = (size_t)_i;
    const struct od_model *model = od_net_model(which, od_net_about(which)->side, 0, s.arena);
    struct od_named_list weights = od_weights_of(model, s.arena);
    struct od_kernels kernels = od_known_kernels[which];
    size_t kind = 0, n;
    for (size_t i = 0; i < weights.n; i += n, kind++) {
        const struct od_named *first = od_named_find(&weights, weights.items[i].bytes, &n);
        ck_assert_uint_lt(kind, kernels.n);
        ck_assert_uint_eq(kernels.kinds[kind].bytes, first->bytes);
        ck_assert_uint_eq(kernels.kinds[kind].layers, n);
        ck_assert_int_eq(kernels.kinds[kind].is_vector, first->shape.n == 1);
        ck_assert_ptr_eq(od_kernels_find(&kernels, first->bytes), &kernels.kinds[kind]);
        ck_assert_ptr_null(od_kernels_find(&kernels, first->bytes + 1));
    }
    ck_assert_uint_eq(kind, kernels.n);
}
END_TEST

START_TEST(test_each_is_told)
{
    put_weights(names[_i], 2, 0);
    const struct od_holding *holding = attributed(od_scenario_close(&s));
    ck_assert_ptr_nonnull(holding->network);
    ck_assert_str_eq(holding->network, names[_i]);
}
END_TEST

/* Parameters with 1000 classes, as the papers and their programs count them. */
START_TEST(test_parameters)
{
    static const struct {
        const char *name;
        uint64_t parameters;
    } known[] = {
        {"VGG-11", 132863336},  {"VGG-13", 133047848},      {"VGG-16", 138357544},
        {"VGG-19", 143667240},  {"Inception v3", 23851784}, {"ResNet-50", 25636712},
        {"MobileNet", 4253864}, {"DenseNet-121", 8062504},
    };
    for (size_t i = 0; i < OD_COUNT_OF(known); i++)
        ck_assert_uint_eq(model_of(known[i].name)->parameters.n, known[i].parameters);
}
END_TEST

START_TEST(test_layers_are_named)
{
    enum { BATCH = 24, KERNEL = 3 * 3 * 256 * 512 * 4, MAP = BATCH * 112 * 112 * 128 * 4 };
    put_weights("VGG-16", 2, 0);
    put_outputs("VGG-16", BATCH);
    const struct od_allocator *allocator = od_scenario_close(&s);
    od_scenario_fails(&s, "[24,64,224,224]", "block1/Conv2D");
    const struct od_holding *holding = attributed(allocator);
    const struct od_candidate *kernel = candidate(holding, KERNEL), *map = candidate(holding, MAP);
    ck_assert_ptr_nonnull(kernel);
    ck_assert(od_view_eq_str(kernel->label, "block4_conv1/kernel"));
    ck_assert_int_eq(kernel->role, OD_ROLE_WEIGHTS);
    ck_assert_ptr_nonnull(map);
    ck_assert(od_view_eq_str(map->label, "block2_conv1"));
    /* in the order of the failing shape */
    ck_assert_uint_eq(map->shape.dims[1], 128);
    ck_assert_int_eq(map->role, OD_ROLE_ACTIVATION);
    for (size_t i = 0; i < allocator->nsizes; i++)
        for (size_t k = 0; k < holding->sizes[i].n; k++)
            ck_assert_int_le(holding->sizes[i].list[k].certainty, OD_LIKELY);
}
END_TEST

/* A kernel in a hole that was not worth a split. */
START_TEST(test_given_whole)
{
    enum { KERNEL = 3 * 3 * 256 * 512 * 4, WHOLE = KERNEL + 1048576 };
    struct od_named_list weights = od_weights_of(model_of("VGG-16"), s.arena);
    od_scenario_region(&s);
    for (size_t i = 0; i < weights.n; i++)
        od_scenario_chunk(&s, weights.items[i].bytes == KERNEL ? WHOLE : weights.items[i].bytes,
                          true);
    const struct od_holding *holding = attributed(od_scenario_close(&s));
    const struct od_candidate *kernel = candidate(holding, WHOLE);
    ck_assert_ptr_nonnull(kernel);
    ck_assert(od_view_eq_str(kernel->label, "block4_conv1/kernel"));
    ck_assert_int_eq(kernel->certainty, OD_POSSIBLE);
}
END_TEST

/* Half of its kernels are no network. */
START_TEST(test_weak_vote)
{
    struct od_named_list weights = od_weights_of(model_of("ResNet-50"), s.arena);
    put_weights("ResNet-50", 1, weights.n - 30);
    ck_assert_ptr_null(attributed(od_scenario_close(&s))->network);
}
END_TEST

/* A table in the log is what counts. */
START_TEST(test_table_wins)
{
    put_weights("VGG-16", 1, 0);
    od_scenario_small_net(&s);
    ck_assert_ptr_null(attributed(od_scenario_close(&s))->network);
}
END_TEST

Suite *od_known_suite(void)
{
    Suite *suite = suite_create("known");
    TCase *tc = tcase_create("known");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, test_kernels_are_the_weights, 0, (int)od_net_count());
    tcase_add_loop_test(tc, test_each_is_told, 0, OD_COUNT_OF(names));
    tcase_add_test(tc, test_parameters);
    tcase_add_test(tc, test_layers_are_named);
    tcase_add_test(tc, test_given_whole);
    tcase_add_test(tc, test_weak_vote);
    tcase_add_test(tc, test_table_wins);
    suite_add_tcase(suite, tc);
    return suite;
}
