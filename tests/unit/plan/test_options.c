#include "plan/plan.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include "base/num.h"

static const struct {
    const char *device;
    uint64_t batch;
    bool inference;
} asked[] = {{"80GiB", 64, false}, {"4GiB", 64, false}, {"3GiB", 512, false}, {"1MiB", 8, false},
             {"8GiB", 1, true},    {"24GB", 0, false},  {NULL, 16, false}};

struct fixture {
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_plan *plan;
};

static struct fixture make(int i)
{
    struct fixture f = {.arena = od_arena_new(), .diags = od_diags_new()};
    struct od_plan_request request = od_plan_request_start();
    const char *why;
    request.params = od_count_of(60000000);
    request.activations = od_count_of(12000000);
    request.workload.batch = asked[i].batch;
    request.workload.inference = asked[i].inference;
    if (asked[i].device)
        ck_assert_int_eq(od_knob_set(&request, "device", asked[i].device, f.arena, &why),
                         OD_KNOB_SET);
    ck_assert(od_plan_request_finish(&request, NULL, f.arena, f.diags));
    f.plan = od_plan_make(&request, f.arena, f.diags);
    ck_assert_ptr_nonnull(f.plan);
    return f;
}

static void done(struct fixture *f)
{
    od_diags_free(f->diags);
    od_arena_free(f->arena);
}

START_TEST(options_are_in_order)
{
    struct fixture f = make(_i);
    const struct od_plan *plan = f.plan;
    ck_assert_uint_ge(plan->noptions, 1);
    ck_assert_str_eq(plan->options[0].cost, "");
    ck_assert_uint_eq(plan->options[0].peak.n, plan->estimate.peak.n);
    for (size_t i = 1; i < plan->noptions; i++) {
        const struct od_plan_option *option = &plan->options[i];
        ck_assert_str_ne(option->cost, "");
        ck_assert_uint_lt(option->peak.n, plan->estimate.peak.n);
        if (i == 1)
            continue;
        bool fits = option->fits >= 0.5, fitted = option[-1].fits >= 0.5;
        ck_assert(fitted || !fits);
        if (fits)
            ck_assert_uint_ge(option->effort, option[-1].effort);
        else if (!fitted)
            ck_assert_uint_ge(option->peak.n, option[-1].peak.n);
    }
    done(&f);
}
END_TEST

/* What is recommended keeps at least the global batch asked for, and fits. */
START_TEST(recommendation_keeps_the_global_batch)
{
    struct fixture f = make(_i);
    const struct od_plan_recommendation *r = &f.plan->recommendation;
    const struct od_workload *w = &f.plan->request.workload;
    if (!asked[_i].device)
        ck_assert(!r->known);
    if (r->known) {
        ck_assert_uint_gt(r->batch, 0);
        ck_assert_uint_le(r->batch, w->batch);
        ck_assert_uint_ge(r->batch * r->accumulation, w->batch * w->accumulation);
        ck_assert_uint_lt((r->batch) * (r->accumulation - 1), w->batch * w->accumulation);
        ck_assert_uint_gt(r->nwhy, 0);
        const struct od_plan_option *option = &f.plan->options[r->option];
        ck_assert(option->fits >= 0.9 || r->batch <= option->largest.safe);
    }
    done(&f);
}
END_TEST

/* ---- the same table for a plan and for a report ---- */

/* A sample takes 100, half of it in 16 bit; 1000 fit, whatever else changes. */
static bool price(void *self, struct od_plan_option *option)
{
    unsigned *asked_for = self;
    const struct od_workload *w = &option->workload;
    uint64_t each = w->precision == OD_PREC_FLOAT32 ? 100 : 50;
    ++*asked_for;
    option->peak = od_bytes_exact(w->batch * each);
    option->fits = option->peak.n <= 1000 ? 1 : 0;
    return w->optimizer == OD_OPT_ADAMW;
}

static void find_largest(void *self, struct od_plan_option *option)
{
    (void)self;
    option->largest = (struct od_largest_batch){.known = true, .expected = 10, .safe = 9};
}

static uint64_t smaller_batch(void *self, const struct od_plan_option *option)
{
    (void)self;
    return option->largest.safe;
}

START_TEST(whoever_prices_it)
{
    unsigned asked_for = 0;
    struct od_model model = {.format = OD_MODEL_BARE};
    const struct od_option_pricer pricer = {&asked_for, price, find_largest, smaller_batch};
    struct od_plan_option options[OD_PLAN_OPTIONS_MAX] = {
        {.workload = od_workload_defaults(&model)}};
    options[0].workload.batch = 16;
    options[0].peak = od_bytes_exact(1600);
    size_t n = od_options_build(&pricer, options);
    /* amp at 16: 800; in two steps of 9, in float32: 900 */
    ck_assert_uint_gt(asked_for, 3);
    ck_assert_uint_eq(n, 4); /* bf16_true is the last */
    ck_assert_str_eq(options[1].remedy, "mixed_precision");
    ck_assert_uint_eq(options[1].peak.n, 800);
    ck_assert_str_eq(options[2].remedy, "accumulate");
    ck_assert_uint_eq(options[2].peak.n, 900);
    ck_assert_uint_eq(options[2].workload.accumulation, 2);
    for (size_t i = 1; i < n; i++)
        ck_assert(options[i].largest.known && options[i].cost[0] && options[i].fits >= 1);
}
END_TEST

/* Layers keep 250 a sample, 10 computed twice; weights and states take 600, 200 where the states
 * are on the host, 100 over eight devices. 300 fit, so that no change alone will do. */
static bool price_tight(void *self, struct od_plan_option *option)
{
    const struct od_workload *w = &option->workload;
    uint64_t fixed = w->world_size > 1 ? 100 : w->offload_optimizer ? 200 : 600;
    (void)self;
    option->peak = od_bytes_exact(fixed + w->batch * (w->checkpointing == OD_CKPT_NONE ? 250 : 10));
    option->fits = option->peak.n <= 300 ? 1 : 0;
    return true;
}

static void find_none(void *self, struct od_plan_option *option)
{
    (void)self;
    option->largest = (struct od_largest_batch){.known = true};
}

START_TEST(combinations_where_no_change_alone_will_do)
{
    struct od_model model = {.format = OD_MODEL_BARE};
    const struct od_option_pricer pricer = {NULL, price_tight, find_none, smaller_batch};
    struct od_plan_option options[OD_PLAN_OPTIONS_MAX] = {
        {.workload = od_workload_defaults(&model)}};
    model.transformer.known = true;
    options[0].workload.batch = 8;
    options[0].peak = od_bytes_exact(2600);
    ck_assert_uint_gt(od_options_build(&pricer, options), 3);
    /* The cheapest that fits: the states on the host, and layers computed twice. */
    ck_assert(options[1].workload.offload_optimizer);
    ck_assert_int_eq(options[1].workload.checkpointing, OD_CKPT_FULL);
    ck_assert_uint_eq(options[1].workload.batch, 8);
    ck_assert_uint_eq(options[1].peak.n, 280);
    ck_assert_str_eq(options[1].cost,
                     "a second forward pass; much slower: the optimizer runs on the CPU");
    /* The next one does without the host. */
    ck_assert(!options[2].workload.offload_optimizer && options[2].fits >= 1);
    ck_assert_uint_eq(options[2].workload.world_size, 8);
    ck_assert(options[3].fits < 1);
}
END_TEST

/* Weights in 4 bit keep more of each sample than they spare. */
static bool price_adapters(void *self, struct od_plan_option *option)
{
    const struct od_workload *w = &option->workload;
    (void)self;
    option->peak = od_bytes_exact(w->quantize_bits ? 70 : w->lora_rank ? 60 : 100);
    option->fits = w->lora_rank ? 1 : 0;
    return true;
}

START_TEST(what_needs_more_than_a_part_of_it_is_no_offer)
{
    struct od_model model = {.format = OD_MODEL_BARE};
    const struct od_option_pricer pricer = {NULL, price_adapters, find_none, smaller_batch};
    struct od_plan_option options[OD_PLAN_OPTIONS_MAX] = {
        {.workload = od_workload_defaults(&model)}};
    model.transformer.known = true;
    options[0].workload.batch = 8;
    options[0].peak = od_bytes_exact(100);
    ck_assert_uint_eq(od_options_build(&pricer, options), 2);
    ck_assert(options[1].workload.lora_rank > 0 && options[1].workload.quantize_bits == 0);
}
END_TEST

Suite *od_options_suite(void)
{
    Suite *suite = od_suite_loop("options", options_are_in_order, OD_COUNT_OF(asked));
    TCase *tcase = tcase_create("recommendation");
    tcase_add_loop_test(tcase, recommendation_keeps_the_global_batch, 0, OD_COUNT_OF(asked));
    suite_add_tcase(suite, tcase);
    TCase *table = tcase_create("table");
    tcase_add_test(table, whoever_prices_it);
    tcase_add_test(table, combinations_where_no_change_alone_will_do);
    tcase_add_test(table, what_needs_more_than_a_part_of_it_is_no_offer);
    suite_add_tcase(suite, table);
    return suite;
}
