#include "estimate/estimate.h"
#include "layers.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"

#include <math.h>
#include <string.h>

static const struct row net[] = {
    {"Conv2d", OD_LAYER_CONV, "[-1,16,32,32]", 448, 0, NULL},
    {"BatchNorm2d", OD_LAYER_BATCH_NORM, "[-1,16,32,32]", 32, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,16,32,32]", 0, 0, NULL},
    {"MaxPool2d", OD_LAYER_MAX_POOL, "[-1,16,16,16]", 0, 0, NULL},
    {"Flatten", OD_LAYER_VIEW, "[-1,4096]", 0, 0, NULL},
    {"Linear", OD_LAYER_LINEAR, "[-1,10]", 40970, 0, NULL},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

struct world {
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_model model;
    struct od_workload w;
    struct od_estimate e;
};

static void begin(struct world *world, struct od_model model)
{
    *world = (struct world){.arena = od_arena_new(), .diags = od_diags_new(), .model = model};
    world->w = od_workload_defaults(&world->model);
}

static void end(struct world *world)
{
    od_model_done(&world->model);
    od_diags_free(world->diags);
    od_arena_free(world->arena);
}

static bool run(struct world *world)
{
    return od_estimate(&world->w, world->arena, world->diags, &world->e);
}

static struct od_model bare(uint64_t parameters, uint64_t activations)
{
    return (struct od_model){.format = OD_MODEL_BARE,
                             .parameters = od_count_of(parameters),
                             .activations = od_count_of(activations)};
}

static uint64_t sum_of(const struct od_breakdown *b)
{
    return b->parameters.bytes.n + b->gradients.bytes.n + b->optimizer.bytes.n +
           b->buffers.bytes.n + b->activations.bytes.n + b->inputs.bytes.n + b->workspace.bytes.n +
           b->framework.bytes.n + b->allocator_waste.bytes.n;
}

/* Every metric and optimizer: parts close, the interval holds the number, batches only add. */
START_TEST(closes)
{
    struct world world;
    begin(&world, layers_model(OD_MODEL_TORCHSUMMARY, net));
    world.w.metric = (enum od_metric)(_i % 3);
    world.w.optimizer = (enum od_optimizer)(_i / 3 % OD_OPTIMIZERS);
    world.w.accumulation = _i % 2 ? 4 : 1;
    uint64_t before = 0;
    for (uint64_t batch = 1; batch <= 4096; batch *= 4) {
        world.w.batch = batch;
        ck_assert(run(&world));
        ck_assert_uint_eq(world.e.peak.n, sum_of(&world.e.breakdown));
        ck_assert_uint_le(world.e.peak.lo, world.e.peak.n);
        ck_assert_uint_ge(world.e.peak.hi, world.e.peak.n);
        ck_assert_uint_ge(world.e.peak.n, before);
        before = world.e.peak.n;
    }
    end(&world);
}
END_TEST

/* By hand: the worst moment is ReLU's backward, with the gradient of its output and that of the
 * last layer; the pool's indices and output are gone. Adam counts steps for 2 + 2 + 2 tensors. */
START_TEST(counted)
{
    struct world world;
    begin(&world, layers_model(OD_MODEL_TORCHSUMMARY, net));
    world.w.batch = 8;
    world.w.metric = OD_METRIC_ALLOCATED;
    ck_assert(run(&world));
    uint64_t parameters = 448 + 32 + 40970;
    uint64_t saved = 4 * (3 * 1024 + 16384 + 16384 + 4096 + 10) + 8 * 4096 + 8;
    ck_assert_uint_eq(world.e.parameters, parameters);
    ck_assert_uint_eq(world.e.saved_per_sample.n, saved);
    ck_assert_uint_eq(world.e.breakdown.gradients.bytes.n, parameters * 4);
    ck_assert_uint_eq(world.e.breakdown.optimizer.bytes.n, parameters * 8 + 6 * 4);
    uint64_t gone = 8 * 4096 + 4 * 4096, relu = 4 * 16384;
    uint64_t moment = 8 * (saved - gone + relu) + 40970 * 4;
    uint64_t cublas = 2 * 8519680;
    uint64_t fixed = parameters * 12 + 6 * 4 + 16 * 8 + cublas;
    uint64_t peak = fixed + moment;
    ck_assert_uint_ge(world.e.peak.n + 16, peak);
    ck_assert_uint_le(world.e.peak.n, peak + 16);
    end(&world);
}
END_TEST

static const struct row dense[] = {
    {"Linear", OD_LAYER_LINEAR, "[-1,1000]", 1001000, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,1000]", 0, 0, NULL},
    {"Linear", OD_LAYER_LINEAR, "[-1,10]", 10010, 0, NULL},
    {NULL, OD_LAYER_OTHER, NULL, 0, 0, NULL},
};

/* zero_grad() is called after the forward pass: saved tensors and the gradients of the previous
 * step are in memory together, and Hopper's cuBLAS workspace. */
START_TEST(zeroed_late)
{
    struct world world;
    begin(&world, layers_model(OD_MODEL_TORCHSUMMARY, dense));
    world.w.batch = 64;
    world.w.optimizer = OD_OPT_SGD;
    world.w.metric = OD_METRIC_ALLOCATED;
    world.w.hopper = true;
    ck_assert(run(&world));
    uint64_t sum = 1011010 * 8 + 64 * world.e.saved_per_sample.n + (2 << 25);
    world.w.keeps_gradients = true;
    ck_assert(run(&world));
    ck_assert_uint_eq(world.e.peak.n, sum);
    end(&world);
}
END_TEST

START_TEST(kept_gradients_cost_more)
{
    struct world world;
    begin(&world, layers_model(OD_MODEL_TORCHSUMMARY, net));
    world.w.batch = 8;
    ck_assert(run(&world));
    uint64_t freed = world.e.peak.n;
    world.w.accumulation = 2;
    ck_assert(run(&world));
    ck_assert_uint_gt(world.e.peak.n, freed);
    end(&world);
}
END_TEST

START_TEST(probability)
{
    struct world world;
    begin(&world, bare(25000000, 11000000));
    world.w.batch = 64;
    ck_assert(run(&world));
    double middle = od_estimate_fits(&world.e, world.e.peak.n);
    ck_assert_double_eq_tol(middle, 0.5, 1e-9);
    ck_assert_double_eq_tol(od_estimate_fits(&world.e, world.e.peak.hi), 0.95, 1e-3);
    ck_assert_double_eq_tol(od_estimate_fits(&world.e, world.e.peak.lo), 0.05, 1e-3);
    ck_assert_double_gt(od_estimate_fits(&world.e, UINT64_MAX), 0.999);
    ck_assert_double_lt(od_estimate_fits(&world.e, 1), 0.001);
    end(&world);
}
END_TEST

/* The pool of a full device gives back what it only holds: that is what has to fit. */
START_TEST(full_device)
{
    struct world world;
    begin(&world, layers_model(OD_MODEL_TORCHSUMMARY, net));
    world.w.batch = 4096;
    world.w.hopper = true;
    ck_assert(run(&world));
    uint64_t slack = world.e.breakdown.allocator_waste.bytes.n;
    ck_assert_uint_lt(world.e.at_limit.n, world.e.peak.n);
    ck_assert_uint_gt(world.e.at_limit.n, world.e.peak.n - slack);
    ck_assert_uint_lt(world.e.at_limit.hi, world.e.peak.hi);
    ck_assert_double_eq_tol(od_estimate_fits(&world.e, world.e.at_limit.n), 0.5, 1e-9);
    world.w.metric = OD_METRIC_ALLOCATED; /* nothing is held for later */
    ck_assert(run(&world));
    ck_assert_uint_eq(world.e.at_limit.n, world.e.peak.n);
    end(&world);
}
END_TEST

static double width(const struct od_bytes *b)
{
    return log((double)b->hi) - log((double)b->n);
}

/* A network by name: its range is as wide as those of others like it turned out, on a card where
 * that was measured. */
START_TEST(earned)
{
    struct world world;
    struct od_estimate parts;
    begin(&world, (struct od_model){.format = OD_MODEL_PUBLIC,
                                    .parameters = od_count_of(25000000),
                                    .measured = {.known = true,
                                                 .height = 224,
                                                 .width = 224,
                                                 .fused = {86000000, 44000000},
                                                 .eager = {86000000, 44000000}}});
    world.w.batch = 64;
    world.w.hopper = _i == 0;
    ck_assert(run(&world));
    parts = world.e;
    ck_assert(od_estimate_close(&parts));
    double peak = width(&world.e.peak) / width(&parts.peak);
    double limit = width(&world.e.at_limit) / width(&parts.at_limit);
    ck_assert_double_eq_tol(peak, _i == 0 ? 0.71 : 1, 1e-6);
    ck_assert_double_eq_tol(limit, _i == 0 ? 0.43 : 1, 1e-6);
    end(&world);
}
END_TEST

static const struct {
    uint64_t parameters, activations, batch;
    bool possible;
} absurd_rows[] = {
    {0, 0, 1, true},
    {UINT64_MAX / 2, 5, 1, false},
    {5, UINT64_MAX / 2, 1, false},
    {5, 5, UINT64_MAX / 2, false},
    {UINT64_MAX, UINT64_MAX, UINT64_MAX, false},
};

START_TEST(absurd)
{
    struct world world;
    begin(&world, bare(absurd_rows[_i].parameters, absurd_rows[_i].activations));
    world.w.batch = absurd_rows[_i].batch;
    ck_assert_int_eq(run(&world), absurd_rows[_i].possible);
    ck_assert_int_eq(od_diags_has_error(world.diags), !absurd_rows[_i].possible);
    end(&world);
}
END_TEST

START_TEST(nothing_known)
{
    struct world world;
    begin(&world, (struct od_model){.format = OD_MODEL_BARE});
    ck_assert(!run(&world));
    ck_assert(od_diags_has_error(world.diags));
    end(&world);
}
END_TEST

/* All gradients and all saved tensors are in memory together: nothing shows which are released
 * first. */
START_TEST(gradients_beside_counts)
{
    struct world world;
    begin(&world, bare(25560000, 11110000));
    world.w.batch = 16;
    ck_assert(run(&world));
    ck_assert_uint_eq(world.e.breakdown.gradients.bytes.n, 4 * UINT64_C(25560000));
    ck_assert_uint_eq(world.e.breakdown.activations.bytes.n, 16 * world.e.saved_per_sample.n);
    end(&world);
}
END_TEST

/* Parameters alone: what they need may be too much, but nothing tells that it is enough. */
START_TEST(activations_not_described)
{
    struct world world;
    begin(&world, (struct od_model){.format = OD_MODEL_BARE, .parameters = od_count_of(7000000)});
    ck_assert(run(&world));
    ck_assert(world.e.lower_limit);
    ck_assert_double_lt(od_estimate_fits(&world.e, UINT64_MAX), 0);
    ck_assert_double_eq_tol(od_estimate_fits(&world.e, 1), 0, 1e-4);
    end(&world);
}
END_TEST

/* Rows behind the last that is kept need memory, too. */
START_TEST(layers_beyond_the_most)
{
    struct world world;
    begin(&world, layers_model(OD_MODEL_TORCHSUMMARY, net));
    ck_assert(run(&world));
    ck_assert(!world.e.lower_limit);
    world.model.unreadable_rows = 5;
    ck_assert(run(&world));
    ck_assert(world.e.lower_limit);
    world.model.unreadable_at.line = 9; /* one line that cannot be read */
    ck_assert(run(&world));
    ck_assert(!world.e.lower_limit);
    end(&world);
}
END_TEST

Suite *od_peak_suite(void)
{
    Suite *suite = od_suite_loop("peak", closes, 3 * OD_OPTIMIZERS);
    TCase *tcase = tcase_create("numbers");
    tcase_add_test(tcase, layers_beyond_the_most);
    tcase_add_test(tcase, counted);
    tcase_add_test(tcase, kept_gradients_cost_more);
    tcase_add_test(tcase, zeroed_late);
    tcase_add_test(tcase, probability);
    tcase_add_test(tcase, full_device);
    tcase_add_loop_test(tcase, earned, 0, 2);
    tcase_add_test(tcase, nothing_known);
    tcase_add_loop_test(tcase, absurd, 0, (int)OD_COUNT_OF(absurd_rows));
    tcase_add_test(tcase, gradients_beside_counts);
    tcase_add_test(tcase, activations_not_described);
    suite_add_tcase(suite, tcase);
    return suite;
}
