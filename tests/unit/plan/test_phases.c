/* Phases close to the peak; what loading takes is counted as it was measured. */
#include "answer/host_answer.h"
#include "answer/phases.h"
#include "tests/unit/fit_of.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

#define GIB(n) ((uint64_t)(n) << 30)

static const struct {
    const char *text, *name;
    uint64_t bytes;
} words[] = {
    {"training batch=2GB", "training batch", GIB(2)},
    {" validation = 40 GiB", "validation", GIB(40)},
    {"total=62GB", "total", GIB(62)},
    {"=2GB", NULL, 0},
    {"batch", NULL, 0},
    {"batch=much", NULL, 0},
};

START_TEST(a_phase_is_a_name_and_a_size)
{
    struct od_phase_given given;
    bool ok = od_phase_parse(od_view_of(words[_i].text), &given);
    ck_assert_int_eq(ok, words[_i].name != NULL);
    if (!ok)
        return;
    ck_assert(od_view_eq_str(given.name, words[_i].name));
    ck_assert_uint_eq(given.bytes.n, words[_i].bytes);
}
END_TEST

static void put_setting(const struct od_sink *sink, const char *name, const char *value)
{
    struct od_event event = {.kind = OD_EV_SETTING, .at = {.line = 1, .nlines = 1}};
    od_event_set_text(&event, OD_F_NAME, od_view_of(name));
    od_event_set_text(&event, OD_F_VALUE, od_view_of(value));
    od_sink_put(sink, &event);
}

/* Ten validations of 1 GiB each, then the kernel kills at 16 GiB; 8 workers. */
static const struct od_case *staircase(void)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    put_setting(&sink, "workers", "8");
    put_setting(&sink, "batch_size", "32");
    put_setting(&sink, "image_size", "224");
    put_setting(&sink, "triplet_batch", "64");
    for (uint64_t i = 0; i < 60; i++) {
        struct od_event mark = {.kind = OD_EV_SAMPLE, .at = {.line = 2 * i + 2, .nlines = 1}};
        od_event_set_text(&mark, OD_F_PHASE, OD_VIEW("validation"));
        struct od_event rss = {.kind = OD_EV_SAMPLE, .at = {.line = 2 * i + 3, .nlines = 1}};
        od_event_set_bytes(&rss, OD_F_RSS, od_bytes_exact(GIB(4) + GIB(i / 6)));
        od_event_set_count(&rss, OD_F_STEP, i);
        if (i % 6 == 0 && i > 0)
            od_sink_put(&sink, &mark);
        od_sink_put(&sink, &rss);
    }
    struct od_event kill = {.kind = OD_EV_HOST_KILLED, .at = {.line = 200, .nlines = 1}};
    od_event_set_bytes(&kill, OD_F_RSS, od_bytes_exact(GIB(14)));
    od_event_set_bytes(&kill, OD_F_CAPACITY, od_bytes_exact(GIB(16)));
    od_sink_put(&sink, &kill);
    return od_case_freeze(builder);
}

static void check_row(const struct od_phases *p, size_t i, const char *name, uint64_t bytes)
{
    ck_assert_uint_lt(i, p->n);
    ck_assert(od_view_eq_str(p->rows[i].name, name));
    ck_assert(p->rows[i].bytes.known);
    ck_assert_uint_eq(p->rows[i].bytes.n, bytes);
}

START_TEST(phases_of_the_log_close)
{
    const struct od_case *c = staircase();
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(c, NULL));
    struct od_arena *arena = od_arena_new();
    struct od_phases_question question = {.c = c, .diagnosis = diagnosis};
    const struct od_phases *p = od_phases_of(&question, arena);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq(p->n, 3);
    check_row(p, 0, "at the first measurement", GIB(4));
    check_row(p, 1, "growth at validations", GIB(9));
    check_row(p, 2, "remainder", GIB(1));
    ck_assert_uint_eq(p->total.n, GIB(14));
    od_arena_free(arena);
    od_diagnosis_free(diagnosis);
    od_case_free(c);
}
END_TEST

START_TEST(given_phases_close_or_say_that_they_do_not)
{
    const struct od_case *c = staircase();
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(c, NULL));
    struct od_arena *arena = od_arena_new();
    struct od_phase_given given[] = {{OD_VIEW("model"), od_bytes_exact(GIB(8))},
                                     {OD_VIEW("triplet batch"), od_bytes_exact(GIB(2))},
                                     {OD_VIEW("total"), od_bytes_exact(GIB(12))}};
    struct od_phases_question question = {
        .c = c, .diagnosis = diagnosis, .given = given, .ngiven = 3};
    const struct od_phases *p = od_phases_of(&question, arena);
    ck_assert_uint_eq(p->n, 3);
    check_row(p, 2, "remainder", GIB(2));
    ck_assert_str_eq(p->rows[1].basis, "given");
    given[2].bytes = od_bytes_exact(GIB(9));
    p = od_phases_of(&question, arena);
    ck_assert(p->rows[2].remainder && !p->rows[2].bytes.known);
    od_arena_free(arena);
    od_diagnosis_free(diagnosis);
    od_case_free(c);
}
END_TEST

/* A batch of 32 float images of 224 x 224 x 3 is 19 267 584 bytes; 8 workers with 2 ahead queue 17
 * of them, with 20 KiB a worker and 36 KiB for all; 4 queue 9. */
START_TEST(workers_that_hold_little_are_not_reduced)
{
    const uint64_t batch = UINT64_C(32) * 224 * 224 * 3 * 4;
    const struct od_case *c = staircase();
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(c, NULL));
    struct od_arena *arena = od_arena_new();
    const struct od_host_answer *a = od_host_answer_of(c, diagnosis, NULL, arena);
    ck_assert_ptr_nonnull(a);
    ck_assert_uint_eq(a->batch.n, batch);
    ck_assert_uint_eq(a->shm.n, 17 * batch + (8 * 20 + 36) * 1024);
    ck_assert_uint_eq(a->own.n, 8 * (batch + batch / 4 + (6 << 20)));
    ck_assert(!a->recommended.known);       /* validations keep more with any number of them */
    ck_assert(a->small && !a->fewer.known); /* 544 MiB of 16 GiB: fewer of them help little */
    ck_assert(a->sample_assumed);
    ck_assert_ptr_nonnull(strstr(a->why, "assumed: 3 channels of float32"));
    ck_assert_ptr_nonnull(strstr(a->workers_do, "only delay the failure"));
    ck_assert_uint_eq(a->accumulated.n, GIB(9));
    od_arena_free(arena);
    od_diagnosis_free(diagnosis);
    od_case_free(c);
}
END_TEST

/*
 * 8 workers take 544.32 MiB: 18.41, and 65.75 each. All of the memory was in use; what fewer leave
 * has to be a tenth of it.
 */
static const struct {
    enum od_event_kind kind;
    enum od_field field;
    uint64_t mib;
    int recommended; /* -1 = none */
} limits[] = {
    {OD_EV_HOST_KILLED, OD_F_CAPACITY, 1024, 5}, /* half is taken for the rest */
    {OD_EV_HOST_KILLED, OD_F_CAPACITY, 2048, 4},
    {OD_EV_HOST_KILLED, OD_F_CAPACITY, 4096, 1},
    {OD_EV_HOST_KILLED, OD_F_CAPACITY, 16384, -1},
    {OD_EV_HOST_KILLED, OD_F_PEAK, 1024, -1}, /* no limit is printed */
    {OD_EV_CGROUP_KILLED, OD_F_LIMIT, 2048, 4},
    {OD_EV_SHM_EXHAUSTED, OD_F_LIMIT, 200, 4}, /* 9 batches; 11 are 202 MiB */
    {OD_EV_SHM_EXHAUSTED, OD_F_LIMIT, 64, 1},  /* three batches are 55 */
    {OD_EV_SHM_EXHAUSTED, OD_F_LIMIT, 48, 0},
};

static const struct od_case *killed_at(size_t i)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    put_setting(&sink, "workers", "8");
    put_setting(&sink, "batch_size", "32");
    put_setting(&sink, "image_size", "224");
    struct od_event kill = {.kind = limits[i].kind, .at = {.line = 9, .nlines = 1}};
    od_event_set_bytes(&kill, limits[i].field, od_bytes_exact(limits[i].mib << 20));
    od_sink_put(&sink, &kill);
    return od_case_freeze(builder);
}

START_TEST(workers_recommended_fit_the_limit_that_is_printed)
{
    const struct od_case *c = killed_at((size_t)_i);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(c, NULL));
    struct od_arena *arena = od_arena_new();
    const struct od_host_answer *a = od_host_answer_of(c, diagnosis, NULL, arena);
    ck_assert_ptr_nonnull(a);
    int recommended = a->recommended.known ? (int)a->recommended.n : -1;
    ck_assert_int_eq(recommended, limits[_i].recommended);
    ck_assert_int_eq((int)a->fewer.n, recommended >= 0 ? recommended : a->small ? 0 : 4);
    ck_assert(a->small == (limits[_i].field == OD_F_CAPACITY && limits[_i].mib == 16384));
    od_arena_free(arena);
    od_diagnosis_free(diagnosis);
    od_case_free(c);
}
END_TEST

/* What is printed at moments of a step, in MiB, and the rows that it makes. The remainder of each
 * table is 0 but where the failure says more. */
struct printed {
    const char *name;
    uint64_t mib;
};

static const struct {
    struct printed moments[12];
    uint64_t failed; /* allocated when it failed; 0 = it did not */
    struct printed rows[6];
    uint64_t total;
} steps[] = {
    /* the highest level is in the forward pass of the first step; nothing of it remains after the
       step */
    {.moments = {{"after model to cuda", 1200},
                 {"after forward", 5100},
                 {"after backward", 2400},
                 {"after optimizer.step", 4800}},
     .rows = {{"model", 1200}, {"forward pass", 3900}, {"remainder", 0}},
     .total = 5100},
    /* the second step's forward pass comes on top of the optimizer's state; gradients were zeroed
     */
    {.moments = {{"after model to cuda", 1200},
                 {"after forward", 5100},
                 {"after backward", 2400},
                 {"after optimizer.step", 4800},
                 {"after zero_grad", 3600},
                 {"after forward", 7500}},
     .rows = {{"model", 1200}, {"forward pass", 3900}, {"optimizer", 2400}, {"remainder", 0}},
     .total = 7500},
    /* each step keeps 100 more: no gradients */
    {.moments = {{"before forward", 1000},
                 {"after forward", 3000},
                 {"after backward", 1500},
                 {"before forward", 1500},
                 {"after forward", 3500},
                 {"after backward", 1600},
                 {"before forward", 1600},
                 {"after forward", 3600}},
     .rows = {{"before forward", 1000},
              {"forward pass", 2000},
              {"gradients", 500},
              {"growth from step to step", 100},
              {"remainder", 0}},
     .total = 3600},
    /* it failed later, with more than was printed */
    {.moments = {{"after model to cuda", 1200}, {"after forward", 5100}, {"after backward", 2400}},
     .failed = 9000,
     .rows = {{"model", 1200}, {"gradients", 1200}, {"remainder", 6600}},
     .total = 9000},
    /* moments of anything */
    {.moments = {{"after data", 512}, {"after graph", 1536}, {"after clean", 600}},
     .rows = {{"after data", 512}, {"after graph", 1024}, {"remainder", 0}},
     .total = 1536},
    /* one moment is a course, no table */
    {.moments = {{"after forward", 5100}, {"after forward", 5100}}},
};

static const struct od_case *printed_at_moments(size_t i)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    uint64_t line = 1;
    for (const struct printed *m = steps[i].moments; m->name; m++) {
        struct od_event event = {.kind = OD_EV_SAMPLE, .at = {.line = line++, .nlines = 1}};
        od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
        od_event_set_text(&event, OD_F_NAME, od_view_of(m->name));
        od_event_set_bytes(&event, OD_F_IN_USE, od_bytes_exact(m->mib << 20));
        od_sink_put(&sink, &event);
    }
    struct od_event failed = {.kind = OD_EV_ALLOC_FAILED, .at = {.line = line, .nlines = 1}};
    od_event_set_text(&failed, OD_F_SPACE, OD_VIEW("device"));
    od_event_set_bytes(&failed, OD_F_IN_USE, od_bytes_exact(steps[i].failed << 20));
    od_event_set_bytes(&failed, OD_F_REQUESTED, od_bytes_exact(512 << 20));
    if (steps[i].failed > 0)
        od_sink_put(&sink, &failed);
    return od_case_freeze(builder);
}

START_TEST(moments_of_a_step_close)
{
    const struct od_case *c = printed_at_moments((size_t)_i);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(c, NULL));
    struct od_arena *arena = od_arena_new();
    struct od_phases_question question = {.c = c, .diagnosis = diagnosis};
    const struct od_phases *p = od_phases_of(&question, arena);
    const struct printed *rows = steps[_i].rows;
    ck_assert_int_eq(p != NULL, rows[0].name != NULL);
    if (p) {
        size_t n = 0;
        for (; rows[n].name; n++)
            check_row(p, n, rows[n].name, rows[n].mib << 20);
        ck_assert_uint_eq(p->n, n);
        ck_assert_uint_eq(p->total.n, steps[_i].total << 20);
    }
    od_arena_free(arena);
    od_diagnosis_free(diagnosis);
    od_case_free(c);
}
END_TEST

Suite *od_phases_suite(void)
{
    Suite *suite = od_suite_loop("phases", a_phase_is_a_name_and_a_size, (int)OD_COUNT_OF(words));
    TCase *tcase = tcase_create("tables");
    tcase_add_test(tcase, phases_of_the_log_close);
    tcase_add_test(tcase, given_phases_close_or_say_that_they_do_not);
    tcase_add_test(tcase, workers_that_hold_little_are_not_reduced);
    tcase_add_loop_test(tcase, workers_recommended_fit_the_limit_that_is_printed, 0,
                        (int)OD_COUNT_OF(limits));
    tcase_add_loop_test(tcase, moments_of_a_step_close, 0, (int)OD_COUNT_OF(steps));
    suite_add_tcase(suite, tcase);
    return suite;
}
