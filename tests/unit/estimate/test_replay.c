#include "estimate/replay.h"
#include "layers.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"

#define MIB (UINT64_C(1) << 20)

static const struct row cnn[] = {
    {"Conv2D", OD_LAYER_CONV, "[-1,30,30,8]", 224, 0, NULL},
    {"MaxPooling2D", OD_LAYER_MAX_POOL, "[-1,15,15,8]", 0, 0, NULL},
    {"Flatten", OD_LAYER_VIEW, "[-1,1800]", 0, 0, NULL},
    {"Dense", OD_LAYER_LINEAR, "[-1,10]", 18010, 0, NULL},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

static const struct row residual[] = {
    {"InputLayer", OD_LAYER_INPUT, "[-1,64,64,3]", 0, 0, NULL},
    {"Conv2D", OD_LAYER_CONV, "[-1,64,64,16]", 432, 0, "0"},
    {"BatchNormalization", OD_LAYER_BATCH_NORM, "[-1,64,64,16]", 64, 0, "1"},
    {"Activation", OD_LAYER_ACTIVATION, "[-1,64,64,16]", 0, 0, "2"},
    {"Conv2D", OD_LAYER_CONV, "[-1,64,64,16]", 2304, 0, "3"},
    {"BatchNormalization", OD_LAYER_BATCH_NORM, "[-1,64,64,16]", 64, 0, "4"},
    {"Add", OD_LAYER_ADD, "[-1,64,64,16]", 0, 0, "5 3"},
    {"GlobalAveragePooling2D", OD_LAYER_AVG_POOL, "[-1,16]", 0, 0, "6"},
    {"Dense", OD_LAYER_LINEAR, "[-1,5]", 85, 0, "7"},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

static const struct row lstm[] = {
    {"LSTM", OD_LAYER_RECURRENT, "[-1,50,32]", 5120, 0, NULL}, /* of 7 features */
    {"LSTM", OD_LAYER_RECURRENT, "[-1,32]", 8320, 0, NULL},
    {"Dense", OD_LAYER_LINEAR, "[-1,1]", 33, 0, NULL},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

static const struct row torch_net[] = {
    {"Conv2d", OD_LAYER_CONV, "[-1,16,32,32]", 448, 0, NULL},
    {"BatchNorm2d", OD_LAYER_BATCH_NORM, "[-1,16,32,32]", 32, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,16,32,32]", 0, 0, NULL},
    {"MaxPool2d", OD_LAYER_MAX_POOL, "[-1,16,16,16]", 0, 0, NULL},
    {"Flatten", OD_LAYER_VIEW, "[-1,4096]", 0, 0, NULL},
    {"Linear", OD_LAYER_LINEAR, "[-1,10]", 40970, 0, NULL},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

static const struct row unknown_block[] = {
    {"Conv2D", OD_LAYER_CONV, "[-1,30,30,8]", 224, 0, NULL},
    {"MyBlock", OD_LAYER_OTHER, "[-1,10]", 5000, 0, NULL},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

static const struct row absurd[] = {
    {"Conv2D", OD_LAYER_CONV, "[-1,4000000000,4000000000,8]", 224, 0, NULL},
    {"Dense", OD_LAYER_LINEAR, "[-1,10]", 18010, 0, NULL},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

struct world {
    struct od_arena *arena;
    struct od_model model;
    struct od_workload workload;
    struct od_replay_question q;
    struct od_replay_answer a;
};

static void begin(struct world *w, const struct row *rows, bool torch)
{
    *w = (struct world){.arena = od_arena_new()};
    w->model = layers_model(torch ? OD_MODEL_TORCHSUMMARY : OD_MODEL_KERAS, rows);
    if (!torch)
        w->model.framework = OD_VIEW("tensorflow");
    w->workload = od_workload_defaults(&w->model);
    w->workload.optimizer = OD_OPT_ADAM;
    w->q = (struct od_replay_question){
        .workload = &w->workload, .limit = 1000 * MIB, .fused = OD_YES, .gradients_held = OD_NO};
}

static void end(struct world *w)
{
    od_model_done(&w->model);
    od_arena_free(w->arena);
}

static uint64_t largest(struct world *w)
{
    ck_assert(od_replay_largest(&w->q, w->arena, &w->a));
    ck_assert_uint_le(w->a.lo, w->a.largest);
    ck_assert_uint_le(w->a.largest, w->a.hi);
    ck_assert_uint_le(w->a.safe, w->a.lo);
    ck_assert_uint_le(w->a.pow2, w->a.largest);
    ck_assert(w->a.pow2 == 0 || (w->a.pow2 & (w->a.pow2 - 1)) == 0);
    ck_assert_int_eq(w->a.pow2 > 0, w->a.largest > 0);
    return w->a.largest;
}

/*
 * Counted by hand, floats of one sample: the image turned 32*32*3, the convolution's output
 * 30*30*8 (kept for ReLU's gradient and the pool's), the pool's 15*15*8. The peak is the pool's
 * gradient: all these, the gradient of the pool's output and of its input.
 */
START_TEST(counted)
{
    struct world w;
    begin(&w, cnn, false);
    uint64_t each = 4 * (32 * 32 * 3 + 7200 + 1800 + 1800 + 7200);
    uint64_t n = largest(&w), most = w.q.limit / each;
    ck_assert_uint_eq(w.a.each, each);
    ck_assert_uint_le(n, most);
    ck_assert_uint_ge(n, most * 9 / 10);
    uint64_t variables = 4 * 3 * (224 + 18010);
    ck_assert_uint_ge(w.a.fixed, variables);
    ck_assert_uint_le(w.a.fixed, variables + 8192);
    w.q.held = 500 * MIB;
    ck_assert_uint_le(largest(&w), most / 2);
    ck_assert_uint_ge(w.a.fixed, variables + 500 * MIB);
    end(&w);
}
END_TEST

static const struct {
    const struct row *rows;
    bool torch;
} nets[] = {{cnn, false}, {residual, false}, {lstm, false}, {torch_net, true}};

/* More of what takes memory, fewer samples. */
START_TEST(moves_the_right_way)
{
    struct world w;
    begin(&w, nets[_i].rows, nets[_i].torch);
    uint64_t n = largest(&w);
    ck_assert_uint_gt(n, 100);
    w.q.limit *= 2;
    ck_assert_uint_ge(largest(&w), n * 3 / 2);
    w.q.limit /= 2;
    w.workload.precision = OD_PREC_AMP_FP16;
    ck_assert_uint_gt(largest(&w), n * 6 / 5);
    w.workload.precision = OD_PREC_FLOAT32;
    w.q.growth = true;
    ck_assert_uint_le(largest(&w), n * 11 / 10);
    w.q.growth = false;
    w.q.limit = 100;
    ck_assert_uint_eq(largest(&w), 0);
    end(&w);
}
END_TEST

/* Variables alone: more copies, fewer samples; temporaries of an update count when it is largest.
 */
START_TEST(copies_of_variables)
{
    static const struct row dense[] = {
        {"Dense", OD_LAYER_LINEAR, "[-1,4096]", 4096 * 4097, 0, NULL},
        {"Dense", OD_LAYER_LINEAR, "[-1,10]", 40970, 0, NULL},
        {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
    };
    struct world w;
    begin(&w, dense, false);
    w.q.limit = 330 * MIB;
    uint64_t adam = largest(&w);
    w.q.slots = od_count_of(0);
    ck_assert_uint_gt(largest(&w), adam);
    w.q.slots.known = false;
    w.q.fused = OD_NO;
    ck_assert_uint_lt(largest(&w), adam);
    w.q.limit = 280 * MIB;
    ck_assert_uint_eq(largest(&w), 0);
    end(&w);
}
END_TEST

START_TEST(failure_caps)
{
    struct world w;
    begin(&w, residual, false);
    uint64_t n = largest(&w);
    w.q.failed = od_count_of(2 * n);
    ck_assert_uint_eq(largest(&w), n);
    w.q.failed = od_count_of(n / 2);
    ck_assert_uint_lt(largest(&w), n / 2);
    ck_assert_uint_lt(w.a.hi, n / 2);
    w.q.failed = od_count_of(1);
    ck_assert_uint_eq(largest(&w), 0);
    end(&w);
}
END_TEST

/* A nested row of a known network is as if its layers were printed; frozen, it keeps nothing. */
START_TEST(nested)
{
    static const struct row transfer[] = {
        {"Functional", OD_LAYER_CONTAINER, "[-1,7,7,512]", 14714688, 0, NULL},
        {"Flatten", OD_LAYER_VIEW, "[-1,25088]", 0, 0, NULL},
        {"Dense", OD_LAYER_LINEAR, "[-1,10]", 250890, 0, NULL},
        {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
    };
    struct world w;
    begin(&w, transfer, false);
    w.q.limit = 8000 * MIB;
    uint64_t n = largest(&w);
    /* 13 convolutions' outputs, 5 pools', the image: 60.9 MB a sample */
    ck_assert_uint_ge(w.a.each, 60000000);
    ck_assert_uint_le(w.a.each, 66000000);
    w.model.non_trainable = od_count_of(14714688);
    ck_assert_uint_gt(largest(&w), 2 * n);
    ck_assert_uint_lt(w.a.fixed, 4 * (14714688 + 3 * 250890) + 65536);
    end(&w);
}
END_TEST

START_TEST(lstm_counted)
{
    struct world w;
    begin(&w, lstm, false);
    largest(&w);
    /* two layers of 6.5 numbers a unit and step; outputs, inputs; two gradients */
    uint64_t floats = 2 * 13 * 32 * 50 / 2 + 50 * 7 + 3 * 50 * 32 + 2 * 50 * 32;
    ck_assert_uint_ge(w.a.each, 4 * floats);
    ck_assert_uint_le(w.a.each, 4 * floats * 21 / 20);
    end(&w);
}
END_TEST

START_TEST(not_told)
{
    static const struct row *const rows[] = {unknown_block, absurd};
    struct world w;
    begin(&w, rows[_i], false);
    ck_assert(!od_replay_largest(&w.q, w.arena, &w.a) || w.a.largest == 0);
    end(&w);
}
END_TEST

enum { SEEN = 64 };

static void see(struct world *w, const char *layer, enum od_tri backward, uint64_t live)
{
    w->q.seen =
        (struct od_replay_moment){.batch = SEEN, .layer = od_view_of(layer), .backward = backward};
    w->q.lived = od_bytes_exact(live);
}

/* What lives when the pool's gradient is asked for is the peak without it; a part of the loss may
 * live yet. */
START_TEST(moment)
{
    struct world w;
    begin(&w, cnn, false);
    largest(&w);
    uint64_t sum = w.a.fixed + SEEN * 4 * (32 * 32 * 3 + 7200 + 1800 + 1800);
    see(&w, "MaxPooling2D", OD_YES, sum);
    ck_assert_double_le(od_replay_differs(&w.q, w.arena), 0.002);
    w.q.lived = od_bytes_exact(sum * 2);
    ck_assert_double_ge(od_replay_differs(&w.q, w.arena), 0.45);
    w.q.lived = od_bytes_exact(sum);
    w.q.seen.request = od_count_of(SEEN * 4 * 7200);
    ck_assert_double_ge(od_replay_differs(&w.q, w.arena), 0);
    w.q.seen.request = od_count_of(12345);
    ck_assert_double_lt(od_replay_differs(&w.q, w.arena), 0);
    see(&w, "Conv2D", OD_NO, w.a.fixed + SEEN * 4 * 32 * 32 * 3);
    ck_assert_double_le(od_replay_differs(&w.q, w.arena), 0);
    end(&w);
}
END_TEST

/* A dense layer's gradient is there when the pool's is asked for: seen or not, it tells whether
 * gradients wait for the update. Nothing seen, both are believed. */
START_TEST(gradients_that_wait)
{
    static const struct row top[] = {
        {"Conv2D", OD_LAYER_CONV, "[-1,60,60,16]", 448, 0, NULL},
        {"MaxPooling2D", OD_LAYER_MAX_POOL, "[-1,30,30,16]", 0, 0, NULL},
        {"Flatten", OD_LAYER_VIEW, "[-1,14400]", 0, 0, NULL},
        {"Dense", OD_LAYER_LINEAR, "[-1,400]", 14401 * 400, 0, NULL},
        {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
    };
    struct world w;
    uint64_t gradient = UINT64_C(4) * 14400 * 400;
    begin(&w, top, false);
    w.q.limit = 200 * MIB;
    uint64_t apart = largest(&w);
    w.q.gradients_held = OD_YES;
    uint64_t together = largest(&w);
    ck_assert_uint_lt(together, apart);
    w.q.gradients_held = OD_CANNOT_TELL;
    ck_assert_uint_eq(largest(&w), apart);
    ck_assert_uint_le(w.a.lo, together);
    uint64_t live = w.a.fixed + SEEN * 4 * (62 * 62 * 3 + 57600 + 14400 + 14400);
    see(&w, "MaxPooling2D", OD_YES, live + gradient);
    ck_assert_uint_eq(largest(&w), together);
    see(&w, "MaxPooling2D", OD_YES, live);
    ck_assert_uint_eq(largest(&w), apart);
    ck_assert_uint_gt(w.a.lo, together);
    end(&w);
}
END_TEST

/* What is known of a reserve buffer counts, and less is not needed than was seen. */
START_TEST(reserve)
{
    struct world w;
    begin(&w, lstm, false);
    w.q.reserve = 5;
    uint64_t less = largest(&w);
    w.q.reserve = 8;
    ck_assert_uint_lt(largest(&w), less);
    end(&w);
}
END_TEST

/* Evaluating keeps nothing for later: the largest pair of neighbours lives. */
START_TEST(inference)
{
    struct world w;
    begin(&w, cnn, false);
    w.workload.inference = true;
    largest(&w);
    ck_assert_uint_eq(w.a.each, 4 * (32 * 32 * 3 + 7200));
    ck_assert_uint_lt(w.a.fixed, 4 * (224 + 18010) + 8192);
    end(&w);
}
END_TEST

Suite *od_replay_suite(void)
{
    Suite *suite = od_suite_loop("replay", moves_the_right_way, (int)OD_COUNT_OF(nets));
    TCase *tcase = tcase_create("numbers");
    tcase_add_test(tcase, counted);
    tcase_add_test(tcase, copies_of_variables);
    tcase_add_test(tcase, failure_caps);
    tcase_add_test(tcase, nested);
    tcase_add_test(tcase, lstm_counted);
    tcase_add_loop_test(tcase, not_told, 0, 2);
    tcase_add_test(tcase, moment);
    tcase_add_test(tcase, gradients_that_wait);
    tcase_add_test(tcase, reserve);
    tcase_add_test(tcase, inference);
    suite_add_tcase(suite, tcase);
    return suite;
}
