#include "base/num.h"
#include "diagnose/diagnose.h"

#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/fit_of.h"
#include "tests/unit/suite.h"

#define GIB UINT64_C(1073741824)
#define MIB UINT64_C(1048576)

/*
 * Threads: what people say beside a failure weighs where the log does not tell, and never against
 * numbers; a title is only the headline of the failure below it; what somebody else printed is not
 * this run's.
 */
struct told_row {
    const char *name;
    void (*make)(struct case_maker *maker);
    enum od_cause cause;
    bool first;
    enum od_certainty certainty;
};

static struct od_incident *bare(struct case_maker *m)
{
    struct od_incident *inc =
        case_maker_incident(m, OD_INC_DEVICE_ALLOC_FAILED, "RuntimeError: CUDA error");
    inc->op_error = true;
    inc->producer = OD_VIEW("pytorch");
    return inc;
}

static void grows(struct case_maker *m)
{
    bare(m);
    case_maker_moment(m, OD_EV_REMARK, "growth");
}

static void nobody_says(struct case_maker *m)
{
    bare(m);
}

static void late(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_REMARK, "late");
    bare(m);
}

static void validation(struct case_maker *m)
{
    bare(m);
    case_maker_moment(m, OD_EV_REMARK, "validation");
}

static void smaller_batch_went_well(struct case_maker *m)
{
    grows(m);
    case_maker_moment(m, OD_EV_REMARK, "batch");
}

static void grows_on_a_taken_device(struct case_maker *m)
{
    struct od_incident *inc = case_maker_torch(m, &(struct torch_numbers){.need = GIB,
                                                                          .capacity = 40 * GIB,
                                                                          .in_use = 11 * GIB,
                                                                          .reserved = 12 * GIB,
                                                                          .free = 300 * MIB});
    case_maker_other(inc, 4001, 27 * GIB);
    case_maker_moment(m, OD_EV_REMARK, "growth");
}

static void host_grows(struct case_maker *m)
{
    struct od_incident *inc =
        case_maker_incident(m, OD_INC_HOST_ALLOC_FAILED, "MemoryError: std::bad_alloc");
    inc->op_error = true;
    case_maker_moment(m, OD_EV_REMARK, "growth");
}

static void copied(struct case_maker *m)
{
    struct od_incident *inc = case_maker_incident(
        m, OD_INC_DEVICE_ALLOC_FAILED,
        "InternalError: Failed copying input tensor in order to run _EagerConst");
    inc->op_error = true;
    inc->producer = OD_VIEW("tensorflow");
}

static void copied_to_an_empty_pool(struct case_maker *m)
{
    copied(m);
    m->c.incidents.items[0].limit = od_bytes_exact(8 * GIB);
    m->c.incidents.items[0].in_use = od_bytes_exact(200 * MIB);
}

static void copied_to_a_full_pool(struct case_maker *m)
{
    copied(m);
    m->c.incidents.items[0].limit = od_bytes_exact(8 * GIB);
    m->c.incidents.items[0].in_use = od_bytes_exact(7 * GIB);
}

static void dump(struct case_maker *m, uint64_t allocations)
{
    case_maker_dump(m, &(struct dump_numbers){.need = 400 * MIB,
                                              .limit = 2 * GIB,
                                              .pool = 2 * GIB,
                                              .in_use = 2 * GIB - 100 * MIB,
                                              .free = 100 * MIB,
                                              .largest_free = 90 * MIB,
                                              .allocations = allocations,
                                              .verdict = OD_VERDICT_EXHAUSTED});
}

static void one_after_long(struct case_maker *m)
{
    case_maker_failure(m, "[1,60,60,4]", "net/Relu");
    dump(m, 900000);
}

static void device_of_another(struct case_maker *m)
{
    case_maker_device(m)->free = od_bytes_exact(300 * MIB);
    m->c.devices.items[0].capacity = od_bytes_exact(16 * GIB);
    case_maker_moment(m, OD_EV_RUN_STARTED, "comment");
    case_maker_device(m)->free = od_bytes_exact(15 * GIB + 800 * MIB);
    m->c.devices.items[1].capacity = od_bytes_exact(16 * GIB);
    case_maker_failure(m, "[64,128,112,112]", "net/Relu");
}

static void add_table(struct case_maker *m, double first, double last)
{
    struct od_series series = {.metric = OD_SERIES_DEVICE_USED,
                               .points = 2,
                               .first = first,
                               .last = last,
                               .min = first < last ? first : last,
                               .max = first < last ? last : first,
                               .limit_known = true,
                               .limit = 16e9};
    series.at = series.last_at = case_maker_next(m);
    series.said = series.last_said = OD_VIEW("15500MiB / 16384MiB");
    od_vec_push(&m->c.series, series);
}

static void full_table(struct case_maker *m)
{
    add_table(m, 15.5e9, 15.6e9);
    bare(m);
}

static void table_that_fills(struct case_maker *m)
{
    add_table(m, 2e9, 15.6e9);
    bare(m);
}

static void just_enough_free(struct case_maker *m)
{
    case_maker_torch(m, &(struct torch_numbers){.need = 30 * GIB,
                                                .capacity = 40 * GIB,
                                                .in_use = 500 * MIB,
                                                .reserved = 600 * MIB,
                                                .free = 30 * GIB + 90 * MIB});
}

static void barely_enough_pieces(struct case_maker *m)
{
    case_maker_torch(m, &(struct torch_numbers){.need = 8 * GIB,
                                                .capacity = 40 * GIB,
                                                .in_use = 30 * GIB,
                                                .reserved = 39 * GIB,
                                                .free = 300 * MIB});
}

static const struct told_row told_rows[] = {
    {"it grows", grows, OD_CAUSE_DEVICE_LEAK, true, OD_LIKELY},
    {"nobody says", nobody_says, OD_CAUSE_BATCH_TOO_LARGE, true, OD_POSSIBLE},
    {"nobody says that it grows", nobody_says, OD_CAUSE_DEVICE_LEAK, false, OD_LIKELY},
    {"late", late, OD_CAUSE_DEVICE_LEAK, true, OD_POSSIBLE},
    {"validation", validation, OD_CAUSE_EVALUATION_ACCUMULATES, true, OD_LIKELY},
    {"a smaller batch went well", smaller_batch_went_well, OD_CAUSE_BATCH_TOO_LARGE, true,
     OD_LIKELY},
    {"numbers outweigh words", grows_on_a_taken_device, OD_CAUSE_OTHER_TENANT, true, OD_CERTAIN},
    {"the host grows", host_grows, OD_CAUSE_HOST_LEAK, true, OD_POSSIBLE},
    {"copied", copied, OD_CAUSE_DATASET_ON_DEVICE, true, OD_POSSIBLE},
    {"copied, empty", copied_to_an_empty_pool, OD_CAUSE_DATASET_ON_DEVICE, true, OD_LIKELY},
    {"copied, full", copied_to_a_full_pool, OD_CAUSE_DATASET_ON_DEVICE, false, OD_LIKELY},
    {"one after long", one_after_long, OD_CAUSE_MODEL_TOO_LARGE, false, OD_LIKELY},
    {"device of another", device_of_another, OD_CAUSE_OTHER_TENANT, false, OD_LIKELY},
    {"full table", full_table, OD_CAUSE_OTHER_TENANT, true, OD_POSSIBLE},
    {"table that fills", table_that_fills, OD_CAUSE_OTHER_TENANT, false, OD_LIKELY},
    {"just enough free", just_enough_free, OD_CAUSE_DRIVER_REFUSED, true, OD_POSSIBLE},
    {"barely enough pieces", barely_enough_pieces, OD_CAUSE_FRAGMENTED, true, OD_LIKELY},
};

START_TEST(words_weigh_where_numbers_are_silent)
{
    const struct told_row *row = &told_rows[_i];
    struct case_maker maker;
    case_maker_init(&maker);
    row->make(&maker);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    ck_assert_int_eq(diagnosis->failure->run.outcome, OD_OUTCOME_MEMORY_FAILURE);
    ck_assert_uint_gt(diagnosis->findings.n, 0);
    const struct od_finding *first = &diagnosis->findings.items[0];
    ck_assert_msg((first->cause == row->cause) == row->first, "%s: first is %s", row->name,
                  od_cause_name(first->cause));
    if (row->first)
        ck_assert_msg(first->certainty == row->certainty, "%s: certainty %d", row->name,
                      (int)first->certainty);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

/* A remark alone is no failure. */
START_TEST(words_alone_say_nothing)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_moment(&maker, OD_EV_REMARK, "growth");
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    ck_assert_int_eq(diagnosis->failure->run.outcome, OD_OUTCOME_NO_FAILURE);
    ck_assert_uint_eq(diagnosis->findings.n, 0);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

START_TEST(a_headline_gives_way_to_what_stands_below)
{
    struct case_maker maker;
    case_maker_init(&maker);
    bare(&maker);
    case_maker_moment(&maker, OD_EV_RUN_STARTED, "comment");
    bare(&maker)->requested = od_bytes_exact(GIB);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    ck_assert_ptr_nonnull(diagnosis->failure->run.ended);
    ck_assert_uint_eq(diagnosis->failure->run.ended->id, 2);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

Suite *od_told_suite(void)
{
    Suite *suite =
        od_suite_loop("told", words_weigh_where_numbers_are_silent, (int)OD_COUNT_OF(told_rows));
    TCase *tcase = tcase_create("threads");
    tcase_add_test(tcase, words_alone_say_nothing);
    tcase_add_test(tcase, a_headline_gives_way_to_what_stands_below);
    suite_add_tcase(suite, tcase);
    return suite;
}
