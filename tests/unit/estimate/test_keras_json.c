/* Keras models in JSON, by hand: their numbers, and what they keep of a sample. */
#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/estimate.h"
#include "model_file.h"
#include "models/file_reader.h"

#include <string.h>

#define MODEL(sort, layers) \
    "{\"class_name\": \"" sort "\", \"config\": {\"name\": \"own\", \"layers\": [" layers "]}}"
#define LAYER(sort, name, arguments, nodes)                                        \
    "{\"class_name\": \"" sort "\", \"config\": {\"name\": \"" name "\"" arguments \
    "}, \"name\": \"" name "\", \"inbound_nodes\": [" nodes "]}"
#define INPUT LAYER("InputLayer", "pixels", ", \"batch_input_shape\": [null, 8, 8, 4]", "")
#define FROM(name) "[[\"" name "\", 0, 0, {}]]"
#define BOTH(a, b) "[[\"" a "\", 0, 0, {}], [\"" b "\", 0, 0, {}]]"
#define CONV(more) \
    ", \"filters\": 4, \"kernel_size\": [3, 3], \"padding\": \"same\", \"use_bias\": false" more

static const struct {
    const char *text;
    uint64_t parameters, trainable, saved;
} models[] = {
    /* the input and what the ReLU makes, which the sum's reader needs no more; logarithms and a
     * label of the loss */
    {MODEL("Functional",
           INPUT "," LAYER("Conv2D", "a", CONV(", \"activation\": \"relu\""),
                           FROM("pixels")) "," LAYER("Add", "b", "", BOTH("a", "pixels"))),
     144, 144, 1024 + 1024 + 1024 + 8 * 64},
    /* Keras 1: a list; the first layer says what it is given */
    {"{\"class_name\": \"Sequential\", \"config\": [" LAYER(
         "Dense", "a", ", \"units\": 3, \"batch_input_shape\": [null, 5]", "") "]}",
     18, 18, 5 * 4 + 3 * 4 + 8},
    /* twice as large, its stride 2: nothing is kept of a layer that is not trained, nor of those
     * before it */
    {MODEL("Sequential", INPUT
           "," LAYER("Conv2D", "a", CONV(", \"strides\": 2, \"trainable\": false"), "") "," LAYER(
               "Flatten", "b", "", "") "," LAYER("Dense", "c", ", \"units\": 3", "")),
     144 + 64 * 3 + 3, 64 * 3 + 3, 64 * 4 + 3 * 4 + 8},
    /* a wrapper; a rate of 0 keeps no mask */
    {MODEL("Sequential",
           LAYER("InputLayer", "steps", ", \"batch_shape\": [null, 6, 5]",
                 "") "," LAYER("TimeDistributed", "a",
                               ", \"layer\": " LAYER("Dense", "inner", ", \"units\": 2", ""),
                               "") "," LAYER("Dropout", "b", ", \"rate\": 0.0", "")),
     12, 12, 6 * 5 * 4 + 6 * 2 * 4 + 6 * 8},
    /* ReLU6 and a norm that counts its statistics */
    {MODEL("Sequential", INPUT "," LAYER("BatchNormalization", "a", "",
                                         "") "," LAYER("ReLU", "b", ", \"max_value\": 6.0", "")),
     16, 8, 1024 + 1024 + 1024 + 8 * 64},
};

struct read {
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_estimate estimate;
    bool any;
};

static void estimate(void *self, const struct od_event *event)
{
    struct read *r = self;
    struct od_workload w = od_workload_defaults(event->model);
    w.metric = OD_METRIC_ALLOCATED;
    r->any = od_estimate(&w, r->arena, r->diags, &r->estimate);
}

START_TEST(kept)
{
    struct read r = {.arena = od_arena_new(), .diags = od_diags_new()};
    const struct od_sink sink = {estimate, &r};
    const char *word = NULL;
    const struct od_file file = {.bytes = od_view_of(models[_i].text),
                                 .name = "model.json",
                                 .diags = r.diags,
                                 .sink = &sink,
                                 .arena = r.arena};
    const struct od_file_reader *reader = od_file_reader_find(file.bytes, &word);
    ck_assert_ptr_nonnull(reader);
    ck_assert_int_eq(reader->read(&file), OD_OK);
    ck_assert(r.any);
    ck_assert_uint_eq(r.estimate.parameters, models[_i].parameters);
    ck_assert_uint_eq(r.estimate.trainable, models[_i].trainable);
    ck_assert_uint_eq(r.estimate.saved_per_sample.n, models[_i].saved);
    od_diags_free(r.diags);
    od_arena_free(r.arena);
}
END_TEST

/* JSON that also names classes. */
static const char *const others[] = {
    "{\"class_name\": \"Adam\", \"config\": {\"learning_rate\": 0.001}}",
    "{\"model_type\": \"bert\", \"class_name\": \"Bert\", \"hidden_size\": 4}",
    "[{\"class_name\": \"Sequential\"}]",
    "epoch 1 {\"class_name\": \"Sequential\"}",
};

START_TEST(another)
{
    struct model_file m = model_file_read(od_view_of(others[_i]));
    ck_assert(!m.emitted);
    od_diags_free(m.diags);
}
END_TEST

/* Every byte of a good file made a digit: no crash. */
START_TEST(damaged)
{
    char text[512];
    struct od_view whole = od_view_head(od_view_of(models[0].text), sizeof text);
    for (size_t i = 0; i < whole.n; i++) {
        memcpy(text, whole.p, whole.n);
        text[i] = '9';
        struct model_file m = model_file_read((struct od_view){text, whole.n});
        od_diags_free(m.diags);
    }
}
END_TEST

Suite *od_keras_json_suite(void)
{
    Suite *suite = od_suite_loop("keras_json", kept, (int)OD_COUNT_OF(models));
    TCase *tcase = tcase_create("files");
    tcase_add_loop_test(tcase, another, 0, OD_COUNT_OF(others));
    tcase_add_test(tcase, damaged);
    suite_add_tcase(suite, tcase);
    return suite;
}
