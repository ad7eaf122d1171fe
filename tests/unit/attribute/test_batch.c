#include "attribute/attribute.h"
#include "tests/unit/attribute/make.h"
#include "tests/unit/attribute/suites.h"

enum { UNKNOWN = 0 };

/* What the log tells -> the batch, and how sure. */
static const struct {
    const char *setting, *value, *shape, *op;
    uint64_t user;
    bool table, step; /* a layer table; its step at 40 among the chunks */
    uint64_t batch;
    enum od_certainty certainty;
} cases[] = {
    {NULL, NULL, NULL, NULL, 12, false, false, 12, OD_CERTAIN},
    {"batch_size", "40", NULL, NULL, 0, false, false, 40, OD_LIKELY},
    {"batch_size", "40", "[40,18,18,52]", "conv/Conv2D", 0, false, false, 40, OD_CERTAIN},
    {"batch_size", "80", "[40,18,18,52]", "conv/Conv2D", 0, false, false, 40, OD_LIKELY},
    {NULL, NULL, "[40,18,18,52]", "conv/Conv2D", 0, true, false, 40, OD_CERTAIN},
    {NULL, NULL, "[40,18,18,52]", "conv/Conv2D", 0, false, false, 40, OD_LIKELY},
    {NULL, NULL, "[40,80,52]", "x/Add", 0, false, false, 40, OD_POSSIBLE},
    {NULL, NULL, "[52]", "bn/FusedBatchNormV3", 0, false, false, UNKNOWN, OD_POSSIBLE},
    {NULL, NULL, "[6144,768]", "h/mlp/MatMul", 0, false, false, UNKNOWN, OD_POSSIBLE},
    {NULL, NULL, "[52]", "bn/FusedBatchNormV3", 0, true, true, 40, OD_LIKELY},
    {"global_batch_size", "64", NULL, NULL, 0, false, false, 64, OD_LIKELY},
    {NULL, NULL, NULL, NULL, 0, false, false, UNKNOWN, OD_POSSIBLE},
};

START_TEST(test_batch)
{
    struct od_scenario s;
    od_scenario_init(&s);
    if (cases[_i].table)
        od_scenario_small_net(&s);
    od_scenario_chunks(&s, od_small_net_weights, 1);
    od_scenario_chunks(&s, od_small_net_trained, 1);
    if (cases[_i].step)
        od_scenario_chunks(&s, od_small_net_step, 1);
    (void)od_scenario_close(&s);
    if (cases[_i].setting)
        od_scenario_setting(&s, cases[_i].setting, cases[_i].value);
    if (cases[_i].shape)
        od_scenario_fails(&s, cases[_i].shape, cases[_i].op);
    struct od_attribute_options options = {0};
    if (cases[_i].user > 0)
        options.batch = od_count_of(cases[_i].user);
    const struct od_attribution *attribution = od_attribute(&s.c, &options, s.arena);
    ck_assert_uint_eq(attribution->batch.known, cases[_i].batch != UNKNOWN);
    if (attribution->batch.known) {
        ck_assert_uint_eq(attribution->batch.n, cases[_i].batch);
        ck_assert_int_eq(attribution->batch_certainty, cases[_i].certainty);
        ck_assert_ptr_nonnull(attribution->batch_basis);
    }
    od_scenario_done(&s);
}
END_TEST

Suite *od_batch_suite(void)
{
    Suite *suite = suite_create("batch");
    TCase *tcase = tcase_create("batch");
    tcase_add_loop_test(tcase, test_batch, 0, (int)(sizeof cases / sizeof *cases));
    suite_add_tcase(suite, tcase);
    return suite;
}
