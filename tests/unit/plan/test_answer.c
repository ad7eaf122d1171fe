/* Answers to failures made by hand: the numbers can be checked on paper. */
#include "answer/answer.h"
#include "fit/belief.h"
#include "fit/facts.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include <math.h>
#include <string.h>

static const uint64_t MiB = 1 << 20;

struct asked {
    const struct od_fit *fit;
    struct od_arena *arena;
    const struct od_diagnosis *diagnosis;
    const struct od_answer *answer;
};

static struct asked ask(struct case_maker *maker, const struct od_plan_request *request)
{
    struct asked asked = {.arena = od_arena_new()};
    const struct od_attribution *attribution = od_attribute(&maker->c, NULL, asked.arena);
    struct od_fit_question of = {.c = &maker->c,
                                 .failure = od_failure_of(&maker->c, maker->c.arena),
                                 .attribution = attribution,
                                 .request = request};
    asked.fit = od_fit_of(&of, asked.arena);
    asked.diagnosis = od_diagnose(asked.fit);
    struct od_answer_question question = {.diagnosis = asked.diagnosis, .fit = asked.fit};
    asked.answer = od_answer_of(&question, asked.arena);
    return asked;
}

static void asked_done(struct asked *asked)
{
    od_diagnosis_free(asked->diagnosis);
    od_arena_free(asked->arena);
}

static const struct od_answer_action *action_of(const struct asked *asked, const char *id)
{
    struct od_answer_action *action = OD_NEW(asked->arena, struct od_answer_action);
    *action = od_answer_action_of(asked->answer, id);
    return action;
}

/* --- beliefs --- */

static const struct {
    double median, lo, hi;
    uint64_t worked, below, largest; /* at 0.5 */
} fits[] = {
    {100.5, 90, 110, 0, 0, 100},
    {100.5, 90, 110, 0, 96, 92}, /* cut above: the rest of the belief is below 96 */
    {100.5, 90, 110, 104, 0, 106},
    {100.5, 60, 101, 0, 0, 100} /* mostly less */,
    {300.5, 290, 310, 32, 64, 45}, /* outside of what is proven: the middle of the bounds */
    {0.4, 0.3, 0.5, 0, 0, 0},      /* not even one */
    {7.5, 7, 8, 0, 0, 7},
};

START_TEST(a_fit)
{
    struct od_belief fit = od_belief_of(fits[_i].median, fits[_i].lo, fits[_i].hi);
    fit.worked = fits[_i].worked;
    fit.below = fits[_i].below;
    ck_assert_uint_eq(od_belief_batch(&fit, 0.5), fits[_i].largest);
    double last = 1;
    for (double batch = 1; batch < 400; batch++) {
        double p = od_belief_probability(&fit, batch);
        ck_assert(p <= last && p >= 0);
        if (batch <= (double)fit.worked)
            ck_assert(p >= 1);
        if (fit.below > 0 && batch >= (double)fit.below)
            ck_assert(p <= 0);
        last = p;
    }
    ck_assert_uint_le(od_belief_batch(&fit, 0.95), od_belief_batch(&fit, 0.5));
    ck_assert_uint_le(od_belief_batch(&fit, 0.5), od_belief_batch(&fit, 0.05));
}
END_TEST

/* --- methods --- */

/* A block of temporaries of 2000 MiB for 20 samples beside 1000 MiB of weights; 2500 are the limit:
 * 15 samples' worth are free. */
START_TEST(a_compiled_step)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_setting(&maker, "batch_size", "20");
    struct od_incident *incident = case_maker_incident(&maker, OD_INC_DEVICE_ALLOC_FAILED,
                                                       "RESOURCE_EXHAUSTED: Out of memory");
    incident->producer = OD_VIEW("jax");
    incident->op_error = true;
    incident->fatal = OD_YES;
    incident->requested = od_bytes_exact(2000 * MiB);
    const uint64_t sizes[] = {100 * MiB, 10, 0};
    struct dump_numbers numbers = {.need = 2000 * MiB,
                                   .limit = 2500 * MiB,
                                   .pool = 2500 * MiB,
                                   .in_use = 1000 * MiB,
                                   .free = 1500 * MiB,
                                   .largest_free = 1500 * MiB,
                                   .allocations = 50,
                                   .verdict = OD_VERDICT_EXHAUSTED,
                                   .sizes = sizes};
    case_maker_dump(&maker, &numbers);
    struct asked asked = ask(&maker, NULL);
    ck_assert_ptr_nonnull(asked.answer);
    ck_assert_uint_eq(asked.answer->largest.n, 15);
    ck_assert(asked.answer->lo.n <= 15 && asked.answer->hi.n >= 15 && asked.answer->hi.n < 20);
    ck_assert(asked.answer->recommended.known && asked.answer->recommended.n < 15);
    ck_assert_uint_eq(asked.answer->below.n <= 20, 1);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/*
 * Four blocks as wide as 128, a vocabulary of 5001, Adam. The step of 8 samples of 64 tokens failed
 * in front of the fourth block's MLP's second matrix; a block takes 12 MiB here.
 */
START_TEST(equal_blocks)
{
    enum { WIDTH = 128, ROWS = 5001, TOKENS = 512 };
    static const uint64_t square = WIDTH * WIDTH * 4, table = ROWS * WIDTH * 4;
    const uint64_t table_chunk = (table + 255) / 256 * 256;
    uint64_t fixed = 4 * 4 * square * 3 + 2 * 4 * 4 * square * 3 + table_chunk * 3;
    uint64_t row = TOKENS * WIDTH * 4, block = 12 * MiB;
    double heads = 2.25 * 2 * 64, share = heads / (26.0 * WIDTH + heads);
    double done = 3 + 25 * (1 - share) / 26 + share;
    uint64_t step = (uint64_t)((double)block * done + 3.25 * (double)row);
    uint64_t limit = fixed + step + MiB / 2;
    const uint64_t sizes[] = {square, 48, square * 4, 24, table_chunk, 3, step / 30, 30, 0};
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_setting(&maker, "batch_size", "8");
    case_maker_failure(&maker, "[8,64,128]", "my_model/transformer/h_._3/mlp/c_proj/MatMul");
    struct dump_numbers numbers = {.need = MiB,
                                   .limit = limit,
                                   .pool = limit,
                                   .in_use = fixed + step,
                                   .free = MiB / 2,
                                   .largest_free = MiB / 2,
                                   .allocations = 300,
                                   .verdict = OD_VERDICT_EXHAUSTED,
                                   .sizes = sizes};
    case_maker_dump(&maker, &numbers);
    struct asked asked = ask(&maker, NULL);
    double whole = 4 * (double)block + 3.25 * (double)row;
    double expected = 8 * 0.985 * (double)(limit - fixed) / whole;
    ck_assert_ptr_nonnull(asked.answer);
    ck_assert_ptr_nonnull(strstr(asked.answer->basis, "block 4 of 4"));
    ck_assert_uint_eq(asked.answer->largest.n, (uint64_t)expected);
    ck_assert(fabs((double)asked.answer->fixed.n - (double)fixed) < 0.01 * (double)fixed);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/* The sum of the table adds up, and nothing that is advised is larger than what was tried. */
START_TEST(numbers_add_up)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_setting(&maker, "batch_size", "20");
    struct od_incident *incident = case_maker_incident(&maker, OD_INC_DEVICE_ALLOC_FAILED,
                                                       "RESOURCE_EXHAUSTED: Out of memory");
    incident->producer = OD_VIEW("jax");
    incident->op_error = true;
    incident->fatal = OD_YES;
    incident->requested = od_bytes_exact(2000 * MiB);
    const uint64_t sizes[] = {100 * MiB, 10, 0};
    struct dump_numbers numbers = {.need = 2000 * MiB,
                                   .limit = 2500 * MiB,
                                   .pool = 2500 * MiB,
                                   .in_use = 1000 * MiB,
                                   .free = 1500 * MiB,
                                   .largest_free = 1500 * MiB,
                                   .verdict = OD_VERDICT_EXHAUSTED,
                                   .sizes = sizes};
    case_maker_dump(&maker, &numbers);
    struct asked asked = ask(&maker, NULL);
    const struct od_answer *a = asked.answer;
    ck_assert(a->fixed.known && a->per_sample.known && a->limit.known);
    ck_assert_uint_le(a->fixed.n + a->largest.n * a->per_sample.n, a->limit.n);
    ck_assert_uint_gt(a->fixed.n + a->batch.n * a->per_sample.n, a->limit.n);
    ck_assert_uint_ge(a->recommended.n * a->accumulation.n, a->batch.n);
    const struct od_answer_action *reduce = action_of(&asked, "reduce_batch");
    double tried = (double)a->fixed.n + 20 * (double)a->per_sample.n;
    ck_assert(fabs((double)reduce->peak.n + (double)reduce->saves.n - tried) < (double)MiB);
    const struct od_answer_action *mixed = action_of(&asked, "mixed_precision");
    ck_assert(mixed->peak.known && mixed->peak.n > a->fixed.n && mixed->peak.n < (uint64_t)tried);
    ck_assert_uint_gt(mixed->batch.n, a->largest.n);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

static void try_batch(struct case_maker *maker, const char *batch, bool trains)
{
    case_maker_setting(maker, "batch_size", batch);
    if (trains)
        case_maker_moment(maker, OD_EV_PROGRESS, "epoch 1");
}

/* 16 and 32 trained, 64 failed: nothing more is known, and that is said. */
START_TEST(batches_that_were_tried)
{
    struct case_maker maker;
    case_maker_init(&maker);
    try_batch(&maker, "16", true);
    try_batch(&maker, "32", true);
    try_batch(&maker, "64", false);
    case_maker_failure(&maker, "[64,9,9,16]", "model/conv/Conv2D");
    struct asked asked = ask(&maker, NULL);
    const struct od_answer *a = asked.answer;
    ck_assert(!a->largest.known && a->worked.n == 32 && a->below.n == 64);
    ck_assert(a->lo.n == 32 && a->hi.n == 63);
    ck_assert(a->recommended.n == 32 && a->accumulation.n == 2);
    ck_assert_ptr_nonnull(a->missing_fact);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/* A peak that was printed at a batch. */
static void print_peak(struct case_maker *maker, const char *batch, double peak)
{
    case_maker_setting(maker, "batch_size", batch);
    struct od_point *point = OD_NEW(maker->c.arena, struct od_point);
    struct od_series series = {.metric = OD_SERIES_DEVICE_PEAK,
                               .at = case_maker_next(maker),
                               .points = 1,
                               .samples = point,
                               .nsamples = 1};
    *point = (struct od_point){.line = series.at.line, .value = peak};
    od_vec_push(&maker->c.series, series);
}

/* 2 GiB and 256 MiB a sample, of 16 GiB: 56 fit, less what bends the line. */
static void fail_64_at_16_gib(struct case_maker *maker)
{
    struct torch_numbers numbers = {.need = 512 * MiB,
                                    .capacity = 16384 * MiB,
                                    .in_use = 16000 * MiB,
                                    .reserved = 16200 * MiB,
                                    .free = 100 * MiB};
    case_maker_setting(maker, "batch_size", "64");
    case_maker_torch(maker, &numbers);
}

START_TEST(printed_peaks)
{
    struct case_maker maker;
    case_maker_init(&maker);
    print_peak(&maker, "8", (double)(4096 * MiB));
    print_peak(&maker, "16", (double)(6144 * MiB));
    fail_64_at_16_gib(&maker);
    struct asked asked = ask(&maker, NULL);
    const struct od_answer *a = asked.answer;
    ck_assert(a->largest.known && a->largest.n >= 50 && a->largest.n <= 56);
    ck_assert(a->fixed.known && a->fixed.n == 2048 * MiB);
    ck_assert(a->below.n == 64);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/* One peak: the parameters tell what does not grow with the batch, else it is anything up to three
 * quarters of the peak, and the answer is as wide. */
static const struct {
    const char *optimizer, *parameters; /* NULL = the log does not say */
    const char *batch;                  /* batch of the peak, 4 GiB; 64 failed at 16 GiB */
    uint64_t lo, hi;                    /* what the largest must lie between */
} peaks[] = {
    {"torch.optim.AdamW (", "67.1M", "8", 38, 48}, /* 1 GiB, and 0.375 a sample: 40 */
    {"SGD", "268,435,456", "8", 40, 56},           /* 1 to 2 GiB */
    {NULL, "67108864", "8", 32, 48},
    {NULL, NULL, "8", 30, 60},
    {NULL, NULL, "2", 0, 0}, /* 7 to 26: too wide to be an answer */
};

START_TEST(one_peak)
{
    struct case_maker maker;
    case_maker_init(&maker);
    if (peaks[_i].optimizer)
        case_maker_setting(&maker, "optimizer", peaks[_i].optimizer);
    if (peaks[_i].parameters)
        case_maker_setting(&maker, "parameters", peaks[_i].parameters);
    print_peak(&maker, peaks[_i].batch, (double)(4096 * MiB));
    fail_64_at_16_gib(&maker);
    struct asked asked = ask(&maker, NULL);
    const struct od_answer *a = asked.answer;
    ck_assert(a->largest.known == (peaks[_i].hi > 0));
    ck_assert(a->largest.n >= peaks[_i].lo && a->largest.n <= peaks[_i].hi);
    ck_assert(!a->largest.known || (a->lo.n <= a->largest.n && a->hi.n < 64));
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/* Statements of people bound the answer, and the answer names their lines. */
START_TEST(batches_in_words)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_setting(&maker, "batch_size", "64");
    case_maker_failure(&maker, "[64,9,9,16]", "model/conv/Conv2D");
    case_maker_setting(&maker, "batch_worked", "20");
    case_maker_setting(&maker, "batch_failed", "40");
    struct asked asked = ask(&maker, NULL);
    const struct od_answer *a = asked.answer;
    ck_assert(a->worked.n == 20 && a->below.n == 40 && a->lo.n == 20 && a->hi.n == 39);
    ck_assert(a->worked_said && a->below_said && a->recommended.n == 20);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/* Another failure ended the run: what people say bounds the answer where an allocator refused a
 * request before, and of what works only what is less than the batch that failed. */
static const struct {
    const char *worked, *failed;
    bool refused;
    uint64_t lo, hi; /* 0: no answer */
} told[] = {
    {"20", "40", true, 20, 39},
    {"20", "40", false, 0, 0},
    {"20", NULL, true, 0, 0},
    {"40", "40", true, 0, 0},
};

START_TEST(words_alone)
{
    struct case_maker maker;
    case_maker_init(&maker);
    if (told[_i].refused)
        case_maker_failure(&maker, "[64,9,9,16]", "model/conv/Conv2D")->kind =
            OD_INC_DEVICE_ALLOC_FAILED;
    case_maker_setting(&maker, "batch_worked", told[_i].worked);
    if (told[_i].failed)
        case_maker_setting(&maker, "batch_failed", told[_i].failed);
    struct asked asked = ask(&maker, NULL);
    struct od_diagnosis diagnosis = *asked.diagnosis;
    struct od_failure failure = *diagnosis.failure;
    failure.run.outcome = OD_OUTCOME_OTHER_FAILURE;
    diagnosis.failure = &failure;
    struct od_answer_question question = {.diagnosis = &diagnosis, .fit = asked.fit};
    const struct od_answer *a = od_answer_of(&question, asked.arena);
    ck_assert_int_eq(a != NULL, told[_i].hi > 0);
    if (a)
        ck_assert(a->lo.n == told[_i].lo && a->hi.n == told[_i].hi && !a->largest.known &&
                  a->recommended.n == told[_i].lo && a->worked_said && a->below_said);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/* 64 samples need 1000 MiB of 900 in one dump and 1600 in the next: the larger bounds what fits, by
 * 64 * 900 / 1600. A batch stated between them parts them. */
START_TEST(the_larger_of_two_dumps)
{
    static const uint64_t sizes[] = {0}, most[] = {58, 37, 58};
    struct dump_numbers numbers = {.need = 200 * MiB,
                                   .limit = 900 * MiB,
                                   .in_use = 800 * MiB,
                                   .free = 100 * MiB,
                                   .sizes = sizes};
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_setting(&maker, "batch_size", "64");
    case_maker_failure(&maker, "[64,9,9,16]", "model/conv/Conv2D");
    case_maker_dump(&maker, &numbers);
    if (_i == 2)
        case_maker_setting(&maker, "batch_size", "64");
    if (_i > 0) {
        case_maker_failure(&maker, "[64,9,9,16]", "model/conv/Conv2D");
        numbers.need = 800 * MiB;
        case_maker_dump(&maker, &numbers);
    }
    struct asked asked = ask(&maker, NULL);
    const struct od_answer *a = asked.answer;
    ck_assert(!a->largest.known);
    ck_assert_uint_le(a->hi.n, most[_i]);
    ck_assert_uint_ge(a->hi.n, most[_i] - 2);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

/* A batch of which nothing but its failure is known gets no number. */
START_TEST(a_ratio_is_no_answer)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_setting(&maker, "batch_size", "64");
    struct torch_numbers numbers = {.need = 512 * MiB,
                                    .capacity = 16000 * MiB,
                                    .in_use = 15000 * MiB,
                                    .reserved = 15500 * MiB,
                                    .free = 100 * MiB};
    case_maker_torch(&maker, &numbers);
    struct asked asked = ask(&maker, NULL);
    const struct od_answer *a = asked.answer;
    ck_assert(!a->largest.known && !a->recommended.known && !a->per_sample.known);
    ck_assert(a->below.n == 64 && a->hi.n == 63);
    ck_assert(action_of(&asked, "reduce_batch")->fits < 0);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

static const struct {
    const char *value, *said;
    enum od_optimizer optimizer;
} optimizers[] = {
    {"AdamW", "optimizer: AdamW", OD_OPT_ADAMW},
    {"sgd", "Namespace(lr=0.1, momentum=0.9, optimizer='sgd')", OD_OPT_MOMENTUM},
    {"SGD", "optimizer: SGD (momentum 0.05)", OD_OPT_MOMENTUM},
    {"SGD", "optimizer: SGD(lr=0.1, momentum=0.0, nesterov=False)", OD_OPT_SGD},
    {"SGD", "optimizer: SGD(lr=0.1, momentum=0", OD_OPT_SGD},
    {"SGD", "optimizer: SGD(momentum", OD_OPT_SGD},
    {"Adam", "optimizer: Adam(momentum=0.9)", OD_OPT_ADAM},
};

START_TEST(an_optimizer_keeps_what_its_line_says)
{
    struct case_maker maker;
    enum od_optimizer optimizer;
    case_maker_init(&maker);
    case_maker_setting(&maker, "optimizer", optimizers[_i].value);
    maker.c.settings.items[0].said.text = od_view_of(optimizers[_i].said);
    ck_assert(od_fit_optimizer(&maker.c, &optimizer));
    ck_assert_int_eq(optimizer, optimizers[_i].optimizer);
    case_maker_done(&maker);
}
END_TEST

/* On a larger device the failure proves nothing. */
START_TEST(another_device)
{
    struct case_maker maker;
    struct od_plan_request request = od_plan_request_start();
    struct od_arena *arena = od_arena_new();
    const char *why;
    ck_assert_int_eq(od_knob_set(&request, "device", "48GiB", arena, &why), OD_KNOB_SET);
    ck_assert_int_eq(od_knob_set(&request, "batch", "24", arena, &why), OD_KNOB_SET);
    case_maker_init(&maker);
    case_maker_failure(&maker, "[24,9,9,16]", "model/conv/Conv2D");
    struct asked asked = ask(&maker, &request);
    ck_assert(asked.answer->batch.n == 24 && asked.answer->batch_certainty == OD_CERTAIN);
    ck_assert(!asked.answer->below.known);
    ck_assert_uint_eq(asked.answer->limit.n, UINT64_C(48) << 30);
    asked_done(&asked);
    od_arena_free(arena);
    case_maker_done(&maker);
}
END_TEST

/* 4000 samples of 1 MiB as one array, 1 GiB for it: each way out has its bytes. */
START_TEST(a_data_set)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_setting(&maker, "batch_size", "8");
    case_maker_setting(&maker, "validation_samples", "500");
    case_maker_setting(&maker, "test_samples", "250");
    struct od_incident *incident = case_maker_failure(&maker, "[4000,512,512,1]", "_EagerConst");
    incident->requested = od_bytes_exact(4000 * MiB);
    const uint64_t sizes[] = {4 * MiB, 6, 0};
    struct dump_numbers numbers = {.need = 4000 * MiB,
                                   .limit = 1024 * MiB,
                                   .pool = 1024 * MiB,
                                   .in_use = 24 * MiB,
                                   .free = 1000 * MiB,
                                   .largest_free = 1000 * MiB,
                                   .verdict = OD_VERDICT_EXHAUSTED,
                                   .sizes = sizes};
    case_maker_dump(&maker, &numbers);
    struct asked asked = ask(&maker, NULL);
    ck_assert(!asked.answer->batch_is_cause && !asked.answer->below.known);
    const struct od_answer_action *stream = action_of(&asked, "stream_dataset");
    ck_assert_uint_eq(stream->peak.n, (24 + 16) * MiB);
    ck_assert_ptr_nonnull(strstr(stream->figures, "500 validation and the"));
    ck_assert_ptr_nonnull(strstr(stream->figures, "250 MiB"));
    ck_assert_uint_eq(action_of(&asked, "use_part")->peak.n, 1024 * MiB);
    ck_assert_uint_eq(action_of(&asked, "smaller_type")->saves.n, 3000 * MiB);
    ck_assert(action_of(&asked, "mixed_precision")->fits <= 0);
    ck_assert_uint_eq(action_of(&asked, "memory_map")->saves.n, 0);
    asked_done(&asked);
    case_maker_done(&maker);
}
END_TEST

Suite *od_answer_suite(void)
{
    Suite *suite = suite_create("answer");
    TCase *tcase = tcase_create("answer");
    tcase_add_loop_test(tcase, a_fit, 0, (int)OD_COUNT_OF(fits));
    tcase_add_test(tcase, a_compiled_step);
    tcase_add_test(tcase, equal_blocks);
    tcase_add_test(tcase, numbers_add_up);
    tcase_add_test(tcase, batches_that_were_tried);
    tcase_add_test(tcase, printed_peaks);
    tcase_add_loop_test(tcase, one_peak, 0, (int)OD_COUNT_OF(peaks));
    tcase_add_test(tcase, batches_in_words);
    tcase_add_loop_test(tcase, words_alone, 0, (int)OD_COUNT_OF(told));
    tcase_add_loop_test(tcase, the_larger_of_two_dumps, 0, 3);
    tcase_add_test(tcase, a_ratio_is_no_answer);
    tcase_add_loop_test(tcase, an_optimizer_keeps_what_its_line_says, 0,
                        (int)OD_COUNT_OF(optimizers));
    tcase_add_test(tcase, another_device);
    tcase_add_test(tcase, a_data_set);
    suite_add_tcase(suite, tcase);
    return suite;
}
