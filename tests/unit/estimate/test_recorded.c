/* Recorded steps, by hand: what they keep, and the largest moment at other batches. */
#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/estimate.h"
#include "model_file.h"
#include "models/file_reader.h"

#include <string.h>

#define BEGIN(n) \
    "{\"schema\": \"oomdoctor.graph/1\", \"framework\": \"pytorch\", \"batch\": " #n "}\n"
#define OP(in, out) "{\"op\": \"own\", \"inputs\": [" in "], \"outputs\": [" out "]}\n"
#define ROWS(i, n, more) \
    "{\"tensor\": " #i ", \"shape\": [" #n ", 100], \"dtype\": \"float32\"" more "}\n"
#define KEPT ", \"kept\": true"
#define WEIGHT \
    "{\"tensor\": 0, \"shape\": [100, 100], \"dtype\": \"float32\", \"parameter\": \"w\"}\n"
#define GRADED \
    "{\"tensor\": 7, \"shape\": [100, 100], \"dtype\": \"float32\", \"gradient\": true}\n"
#define LOSS "{\"tensor\": 4, \"shape\": [], \"dtype\": \"float32\"}\n"
#define BACKWARD "{\"phase\": \"backward\"}\n"
#define END "{\"phase\": \"end\"}\n"

/* A product, a ReLU in place, a residual sum; backward: of the sum, the ReLU, the product. */
#define FORWARD OP("1, 0", "2") OP("2", "2") OP("2, 1", "3") OP("3", "4") BACKWARD
#define TENSORS(n)                                                                             \
    WEIGHT ROWS(1, n, KEPT) ROWS(2, n, KEPT) ROWS(3, n, "") LOSS ROWS(5, n, "") ROWS(6, n, "") \
        GRADED
#define STEP(n) BEGIN(n) FORWARD OP("", "5") OP("5, 2", "6") OP("6, 1", "7") END TENSORS(n)
#define CUT(n) BEGIN(n) FORWARD WEIGHT ROWS(1, n, KEPT) ROWS(2, n, KEPT) ROWS(3, n, "") LOSS

/* Two blocks computed again in the backward pass: only what goes into them is kept. */
#define AGAIN(n)                                                                         \
    BEGIN(n)                                                                             \
    OP("1, 0", "2")                                                                      \
    OP("2, 0", "3")                                                                      \
    BACKWARD OP("2, 0", "5") OP("5, 0", "6") OP("6, 1", "7") END WEIGHT ROWS(1, n, KEPT) \
        ROWS(2, n, KEPT) ROWS(3, n, "") ROWS(5, n, "") ROWS(6, n, "") GRADED

/* No gradient reaches the first product: nothing of it is kept. */
#define FROZEN(n)                                                                              \
    BEGIN(n)                                                                                   \
    OP("1, 8", "2")                                                                            \
    OP("2, 0", "3")                                                                            \
    BACKWARD OP("3, 2", "7") END WEIGHT                                                        \
        "{\"tensor\": 8, \"shape\": [50, 100], \"dtype\": \"float32\", \"parameter\": \"v\", " \
        "\"trainable\": false}\n" ROWS(1, n, "") ROWS(2, n, KEPT) ROWS(3, n, "") GRADED

/* A product, a norm of what it makes, in place a ReLU: kept are a 16-bit copy of the input, the
 * product in float32 for the norm, what the ReLU makes. */
#define DO(op, in, out) "{\"op\": \"" op "\", \"inputs\": [" in "], \"outputs\": [" out "]}\n"
#define CAST(n)                                                                              \
    BEGIN(n)                                                                                 \
    DO("aten.mm.default", "1, 0", "2")                                                       \
    DO("aten.native_layer_norm.default", "2", "3")                                           \
    DO("aten.relu_.default", "3", "3")                                                       \
    BACKWARD DO("aten.mm.default", "3, 1", "7") END WEIGHT ROWS(1, n, KEPT) ROWS(2, n, KEPT) \
        ROWS(3, n, KEPT) GRADED

/* The product is computed twice: under autocast its intermediate result has 16 bits. */
#define CHAIN(n)                                                                           \
    BEGIN(n)                                                                               \
    DO("aten.mm.default", "1, 0", "2")                                                     \
    DO("aten.relu.default", "2", "3")                                                      \
    DO("aten.addmm.default", "3, 0", "5")                                                  \
    BACKWARD DO("aten.mm.default", "5, 1", "7") END WEIGHT ROWS(1, n, KEPT) ROWS(2, n, "") \
        ROWS(3, n, KEPT) ROWS(5, n, "") GRADED

/* Two products read the input, the second the half of it: autocast casts it for each. */
#define SEE(op, in, of, out) \
    "{\"op\": \"" op "\", \"inputs\": [" in "], \"reads\": [" of "], \"outputs\": [" out "]}\n"
#define TWICE(n, half)                                                                     \
    BEGIN(n)                                                                               \
    SEE("aten.mm.default", "1, 0", #n "00, 10000", "2")                                    \
    SEE("aten.mm.default", "1, 0", #half ", 10000", "3")                                   \
    BACKWARD DO("aten.mm.default", "2, 1", "7") END WEIGHT ROWS(1, n, KEPT) ROWS(2, n, "") \
        ROWS(3, n, "") GRADED

/* The loop of training holds what the network returned. */
#define HELD(n)                                                                    \
    BEGIN(n)                                                                       \
    DO("own", "1, 0", "2")                                                         \
    DO("own", "2", "4")                                                            \
    BACKWARD DO("own", "", "5") DO("own", "5, 1", "7") END WEIGHT ROWS(1, n, KEPT) \
        ROWS(2, n, ", \"output\": true") LOSS ROWS(5, n, "") GRADED

/* A frozen 16-bit weight, and an adapter of float32 on its input. */
#define ADAPTED(n)                                                                               \
    BEGIN(n)                                                                                     \
    DO("aten.mm.default", "1, 8", "2")                                                           \
    DO("aten._to_copy.default", "1", "3")                                                        \
    DO("aten.mm.default", "3, 0", "5")                                                           \
    BACKWARD DO("aten.mm.default", "5, 3", "7") END WEIGHT                                       \
        "{\"tensor\": 8, \"shape\": [300, 100], \"dtype\": \"bfloat16\", \"parameter\": \"v\", " \
        "\"trainable\": false}\n" ROWS(1, n, "") ROWS(2, n, "") ROWS(3, n, KEPT) ROWS(5, n, "")  \
            GRADED

/* Text of torch.export: a product, a Hardswish in place, dropout that is off, a product with noise
 * that nothing trains. */
#define EXPORTED_HEAD                                                                            \
    "ExportedProgram:\n  class GraphModule(torch.nn.Module):\n"                                  \
    "    def forward(self, p_w: \"f32[100, 100]\", b_n: \"f32[2, 100]\", x: \"f32[2, 100]\"):\n" \
    "      linear: \"f32[2, 100]\" = torch.ops.aten.linear.default(x, p_w);  x = p_w = None\n"
#define EXPORTED                                                                                \
    EXPORTED_HEAD                                                                               \
    "      hardswish_: \"f32[2, 100]\" = torch.ops.aten.hardswish_.default(linear);  linear = " \
    "None\n"                                                                                    \
    "      dropout: \"f32[2, 100]\" = torch.ops.aten.dropout.default(hardswish_, 0.0, True)\n"  \
    "      mul: \"f32[2, 100]\" = torch.ops.aten.mul.Tensor(dropout, b_n)\n"                    \
    "      return (mul,)\n"

static const struct {
    const char *text;
    uint64_t batch, accumulation;
    enum od_precision precision;
    uint64_t parameters, trainable, saved, saved_hi, peak;
} steps[] = {
    {STEP(2) STEP(3), 2, 1, OD_PREC_FLOAT32, 10000, 10000, 1600, 1600, 81600},
    {STEP(2) STEP(3), 100, 1, OD_PREC_FLOAT32, 10000, 10000, 80000, 80000, 200000},
    {STEP(2) STEP(3), 100, 2, OD_PREC_FLOAT32, 10000, 10000, 80000, 80000, 240000},
    {STEP(2), 100, 1, OD_PREC_FLOAT32, 10000, 10000, 80000, 80000, 200000},
    {STEP(2) STEP(3), 100, 1, OD_PREC_AMP_BF16, 10000, 10000, 80000, 84800, 0},
    {CAST(2) CAST(3), 100, 1, OD_PREC_AMP_BF16, 10000, 10000, 100000, 106000, 0},
    {CAST(2) CAST(3), 100, 1, OD_PREC_FLOAT32, 10000, 10000, 120000, 120000, 0},
    {CHAIN(2) CHAIN(3), 100, 1, OD_PREC_AMP_FP16, 10000, 10000, 40000, 42400, 0},
    {CHAIN(2) CHAIN(3), 100, 1, OD_PREC_BF16_TRUE, 10000, 10000, 42600, 61600, 0},
    {TWICE(2, 100) TWICE(3, 150), 100, 1, OD_PREC_AMP_BF16, 10000, 10000, 30000, 31800, 0},
    {HELD(2) HELD(3), 100, 1, OD_PREC_FLOAT32, 10000, 10000, 40000, 40000, 200000},
    {ADAPTED(2) ADAPTED(3), 100, 1, OD_PREC_AMP_BF16, 40000, 10000, 20000, 21200, 0},
    {ADAPTED(2) ADAPTED(3), 100, 1, OD_PREC_BF16_TRUE, 40000, 10000, 40000, 40000, 0},
    {EXPORTED, 100, 1, OD_PREC_FLOAT32, 10000, 10000, 120000, 120000, 0},
    /* the backward pass is not recorded: all gradients beside what the forward pass holds */
    {CUT(2) CUT(3), 100, 1, OD_PREC_FLOAT32, 10000, 10000, 80000, 80000, 200004},
    {AGAIN(2) AGAIN(3), 100, 1, OD_PREC_FLOAT32, 10000, 10000, 80000, 80000, 160000},
    {FROZEN(2) FROZEN(3), 100, 1, OD_PREC_FLOAT32, 15000, 10000, 40000, 40000, 220000},
};

static void keep(void *self, const struct od_event *event)
{
    struct od_model *kept = self;
    if (event->kind == OD_EV_MODEL)
        *kept = *event->model;
}

START_TEST(sums)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_model read = {0};
    const struct od_sink sink = {keep, &read};
    const char *word = NULL;
    const struct od_file file = {.bytes = od_view_of(steps[_i].text),
                                 .name = "model.graph.jsonl",
                                 .diags = diags,
                                 .sink = &sink,
                                 .arena = arena};
    const struct od_file_reader *reader = od_file_reader_find(file.bytes, &word);
    ck_assert_ptr_nonnull(reader);
    ck_assert_int_eq(reader->read(&file), OD_OK);
    struct od_workload w = od_workload_defaults(&read);
    struct od_estimate e;
    w.batch = steps[_i].batch;
    w.accumulation = steps[_i].accumulation;
    w.precision = steps[_i].precision;
    w.optimizer = OD_OPT_SGD;
    w.metric = OD_METRIC_ALLOCATED;
    ck_assert(od_estimate(&w, arena, diags, &e));
    ck_assert_uint_eq(e.parameters, steps[_i].parameters);
    ck_assert_uint_eq(e.trainable, steps[_i].trainable);
    ck_assert_uint_eq(e.batch_bytes.n, steps[_i].saved);
    ck_assert_uint_eq(e.batch_bytes.hi, steps[_i].saved_hi);
    uint64_t cublas = 2 * 8519680;
    if (steps[_i].peak > 0)
        ck_assert_uint_eq(e.peak.n, steps[_i].peak + cublas);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static const struct {
    const char *text, *said;
} faults[] = {
    {EXPORTED_HEAD, "cut off"},
    {"ExportedProgram:\n", "cut off"},
    {"{\"schema\": \"oomdoctor.graph/1\"}\n", "without its batch"},
    {BEGIN(2) OP("1, 0", "2"), "forward pass"},
    {BEGIN(2) FORWARD WEIGHT, "cut"},
    {BEGIN(2) OP("-1", "2"), "number"},
    {BEGIN(2) OP("1e3", "2"), "number"},
    {BEGIN(2) "{\"tensor\": 99999999, \"shape\": []}\n", "tensor"},
    {BEGIN(2) "{\"tensor\": 1, \"shape\": [-1], \"dtype\": \"float32\"}\n", "tensor"},
    {BEGIN(2) "{\"tensor\": 1, \"shape\": [2], \"dtype\": \"own\"}\n", "tensor"},
    {BEGIN(2) "{\"op\":\n", "JSON"},
};

START_TEST(refused)
{
    struct model_file m = model_file_read(od_view_of(faults[_i].text));
    ck_assert(m.bid && !m.emitted);
    ck_assert_uint_eq(od_diags_count(m.diags), 1);
    ck_assert_ptr_nonnull(strstr(od_diags_at(m.diags, 0)->message, faults[_i].said));
    od_diags_free(m.diags);
}
END_TEST

static void damage(char *text)
{
    for (size_t i = 0; text[i] != 0; i++) {
        char was = text[i];
        text[i] = '9';
        struct model_file m = model_file_read(od_view_of(text));
        text[i] = was;
        od_diags_free(m.diags);
    }
}

/* Every byte of a good file made a digit: no crash. */
START_TEST(damaged)
{
    char recorded[] = STEP(2), exported[] = EXPORTED;
    damage(recorded);
    damage(exported);
}
END_TEST

Suite *od_recorded_suite(void)
{
    Suite *suite = od_suite_loop("recorded", sums, (int)OD_COUNT_OF(steps));
    TCase *tcase = tcase_create("files");
    tcase_add_loop_test(tcase, refused, 0, OD_COUNT_OF(faults));
    tcase_add_test(tcase, damaged);
    suite_add_tcase(suite, tcase);
    return suite;
}
