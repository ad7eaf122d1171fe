/* Failures of a transformer whose way of running is known to the test and only in part to the log:
 * what is answered must hold for it. */
#include "answer/answer.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

static const uint64_t GiB = UINT64_C(1) << 30;

/* 1.3 milliard parameters. */
static const struct od_model model = {
    .format = OD_MODEL_HF_CONFIG,
    .complete = true,
    .transformer = {.known = true,
                    .hidden = {2048, true},
                    .layers = {24, true},
                    .heads = {16, true},
                    .kv_heads = {16, true},
                    .intermediate = {5632, true},
                    .vocab = {32000, true},
                    .positions = {4096, true},
                    .gated = true,
                    .rms_norm = true,
                    .traits = OD_TR_CAUSAL,
                    .head = OD_HEAD_LM},
};

static const struct truth {
    enum od_precision precision;
    enum od_optimizer optimizer;
    enum od_checkpointing checkpointing;
    const char *precision_said, *optimizer_said, *checkpointing_said; /* NULL = not in the log */
} truths[] = {
    {OD_PREC_FLOAT32, OD_OPT_ADAMW, OD_CKPT_NONE, "fp32", "AdamW", NULL},
    {OD_PREC_AMP_BF16, OD_OPT_ADAMW, OD_CKPT_NONE, "bf16", "adamw_torch", NULL},
    {OD_PREC_AMP_BF16, OD_OPT_ADAMW, OD_CKPT_FULL, "bf16", NULL, "true"},
    {OD_PREC_BF16_TRUE, OD_OPT_ADAMW, OD_CKPT_NONE, "bf16", NULL, NULL},
    {OD_PREC_BF16_TRUE, OD_OPT_ADAM8BIT, OD_CKPT_FULL, "bf16", "paged_adamw_8bit", "true"},
    {OD_PREC_FLOAT32, OD_OPT_ADAMW, OD_CKPT_NONE, NULL, NULL, NULL},
};

static struct od_workload workload_of(const struct truth *truth)
{
    struct od_workload w = od_workload_defaults(&model);
    w.precision = truth->precision;
    w.optimizer = truth->optimizer;
    w.checkpointing = truth->checkpointing;
    w.sequence = 1024;
    w.metric = OD_METRIC_RESERVED;
    return w;
}

static uint64_t peak_of(struct od_workload w, uint64_t batch, enum od_metric metric)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_estimate estimate;
    w.batch = batch;
    w.metric = metric;
    ck_assert(od_estimate(&w, arena, diags, &estimate));
    od_arena_free(arena);
    od_diags_free(diags);
    return estimate.at_limit.n;
}

struct failure {
    struct case_maker maker;
    struct od_arena *arena;
    const struct od_diagnosis *diagnosis;
    const struct od_answer *answer;
};

/* What the allocator had and what was free: the context has the rest of 48 GiB. */
static const uint64_t pool = 47 * (UINT64_C(1) << 30) + (UINT64_C(1) << 28);

/* It fails at the batch with so much of the peak in use, on a device of 48 GiB. */
static void fail_at(struct failure *f, const struct truth *truth, uint64_t batch,
                    const char *length)
{
    struct od_workload w = workload_of(truth);
    uint64_t capacity = 48 * GiB, live = peak_of(w, batch, OD_METRIC_ALLOCATED);
    struct torch_numbers numbers = {.need = GiB / 2,
                                    .capacity = capacity,
                                    .in_use = live < 46 * GiB ? live : 46 * GiB,
                                    .reserved = pool - GiB / 4,
                                    .free = GiB / 4};
    char text[32];
    case_maker_init(&f->maker);
    f->arena = od_arena_new();
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)batch);
    case_maker_setting(&f->maker, "batch_size", text);
    if (length)
        case_maker_setting(&f->maker, "sequence_length", length);
    if (truth->precision_said)
        case_maker_setting(&f->maker, "precision", truth->precision_said);
    if (truth->optimizer_said)
        case_maker_setting(&f->maker, "optimizer", truth->optimizer_said);
    if (truth->checkpointing_said)
        case_maker_setting(&f->maker, "checkpointing", truth->checkpointing_said);
    case_maker_torch(&f->maker, &numbers);
    const struct od_attribution *attribution = od_attribute(&f->maker.c, NULL, f->arena);
    struct od_fit_question of = {.c = &f->maker.c,
                                 .failure = od_failure_of(&f->maker.c, f->arena),
                                 .attribution = attribution,
                                 .model = &model};
    const struct od_fit *fit = od_fit_of(&of, f->arena);
    f->diagnosis = od_diagnose(fit);
    struct od_answer_question question = {.diagnosis = f->diagnosis, .fit = fit};
    f->answer = od_answer_of(&question, f->arena);
}

static void failure_done(struct failure *f)
{
    od_diagnosis_free(f->diagnosis);
    od_arena_free(f->arena);
    case_maker_done(&f->maker);
}

START_TEST(the_truth_is_in_the_range)
{
    struct failure f;
    struct od_workload w = workload_of(&truths[_i]);
    struct od_largest_batch largest = od_largest_batch(&w, pool);
    ck_assert(largest.known && largest.expected > 0);
    uint64_t failed = largest.hi + largest.hi / 4 + 1;
    fail_at(&f, &truths[_i], failed, "1024");
    const struct od_answer *a = f.answer;
    ck_assert(a && a->below.known && a->below.n == failed);
    if (a->largest.known)
        ck_assert(a->lo.n <= largest.expected && a->hi.n >= largest.expected);
    if (a->recommended.known)
        ck_assert(peak_of(w, a->recommended.n, OD_METRIC_RESERVED) <= pool);
    ck_assert(a->fixed.known && a->fixed.lo < pool);
    failure_done(&f);
}
END_TEST

/* All is said: the number is the estimate's own, and so are the rows of the table. */
START_TEST(what_is_said_is_believed)
{
    struct failure f;
    struct od_workload w = workload_of(&truths[1]);
    struct od_largest_batch largest = od_largest_batch(&w, pool);
    fail_at(&f, &truths[1], largest.hi * 2, "1024");
    const struct od_answer *a = f.answer;
    ck_assert(a->largest.known && a->noptions > 1);
    ck_assert_int_eq(a->options[0].workload.optimizer, OD_OPT_ADAMW);
    ck_assert_uint_eq(a->options[0].workload.sequence, 1024);
    ck_assert(a->options[0].fits < 0.5);
    uint64_t peak = peak_of(w, a->largest.n, OD_METRIC_RESERVED);
    uint64_t line = a->fixed.n + a->largest.n * a->per_sample.n;
    ck_assert_double_eq_tol((double)line, (double)peak, (double)(GiB / 64));
    failure_done(&f);
}
END_TEST

/* The peak depends on a length that the log does not state: the answer has no number and no price,
 * and it names the missing fact. */
START_TEST(no_length_no_number)
{
    struct failure f;
    fail_at(&f, &truths[1], 64, NULL);
    const struct od_answer *a = f.answer;
    ck_assert(!a->largest.known && a->noptions == 0 && a->fixed.known);
    ck_assert(a->missing_fact && strstr(a->missing_fact, "--seq"));
    static const char *const ids[] = {"reduce_batch", "mixed_precision", "checkpointing"};
    for (size_t i = 0; i < OD_COUNT_OF(ids); i++) {
        struct od_answer_action action = od_answer_action_of(a, ids[i]);
        ck_assert(!action.saves.known && action.fits <= 0);
    }
    failure_done(&f);
}
END_TEST

/* Weights, gradients and Adam's states of float32 alone are more than the device: it failed in its
 * first step, and no batch is advised before what makes room. */
START_TEST(no_batch_fits)
{
    struct failure f;
    struct od_model large = model;
    large.transformer.layers = od_count_of(96);
    struct truth truth = truths[0];
    uint64_t capacity = 48 * GiB;
    struct torch_numbers numbers = {.need = GiB / 2,
                                    .capacity = capacity,
                                    .in_use = 46 * GiB,
                                    .reserved = 47 * GiB,
                                    .free = GiB / 4};
    case_maker_init(&f.maker);
    f.arena = od_arena_new();
    case_maker_setting(&f.maker, "batch_size", "8");
    case_maker_setting(&f.maker, "sequence_length", "1024");
    case_maker_setting(&f.maker, "precision", truth.precision_said);
    case_maker_setting(&f.maker, "optimizer", truth.optimizer_said);
    case_maker_torch(&f.maker, &numbers);
    struct od_fit_question of = {.c = &f.maker.c,
                                 .failure = od_failure_of(&f.maker.c, f.arena),
                                 .attribution = NULL,
                                 .model = &large};
    const struct od_fit *fit = od_fit_of(&of, f.arena);
    f.diagnosis = od_diagnose(fit);
    struct od_answer_question question = {.diagnosis = f.diagnosis, .fit = fit};
    f.answer = od_answer_of(&question, f.arena);
    ck_assert(f.answer->largest.known && f.answer->largest.n == 0);
    ck_assert(f.answer->fixed.lo > capacity && !f.answer->recommended.known);
    ck_assert(od_answer_action_of(f.answer, "reduce_batch").fits <= 0);
    failure_done(&f);
}
END_TEST

Suite *od_answer_estimate_suite(void)
{
    Suite *suite = suite_create("answer by estimate");
    TCase *tcase = tcase_create("transformers");
    tcase_add_loop_test(tcase, the_truth_is_in_the_range, 0, (int)OD_COUNT_OF(truths));
    tcase_add_test(tcase, what_is_said_is_believed);
    tcase_add_test(tcase, no_length_no_number);
    tcase_add_test(tcase, no_batch_fits);
    suite_add_tcase(suite, tcase);
    return suite;
}
