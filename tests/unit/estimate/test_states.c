#include "estimate/states.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"

/* Of 1000 parameters, 900 of them trained. */
static const struct {
    enum od_precision precision;
    enum od_optimizer optimizer;
    unsigned zero;
    uint64_t world;
    bool inference;
    uint64_t weights, gradients, optimizer_bytes;
} rows[] = {
    {OD_PREC_FLOAT32, OD_OPT_SGD, 0, 1, false, 4000, 3600, 0},
    {OD_PREC_FLOAT32, OD_OPT_NESTEROV, 0, 1, false, 4000, 3600, 3600},
    {OD_PREC_FLOAT32, OD_OPT_ADAMW, 0, 1, false, 4000, 3600, 7200},
    {OD_PREC_TF32, OD_OPT_AMSGRAD, 0, 1, false, 4000, 3600, 10800},
    {OD_PREC_AMP_FP16, OD_OPT_ADAM, 0, 1, false, 4000, 3600, 7200},
    {OD_PREC_BF16, OD_OPT_ADAM, 0, 1, false, 2000, 1800, 10800},
    {OD_PREC_BF16_TRUE, OD_OPT_ADAM, 0, 1, false, 2000, 1800, 3600},
    {OD_PREC_FLOAT32, OD_OPT_ADAM8BIT, 0, 1, false, 4000, 3600, 1800},
    {OD_PREC_FLOAT32, OD_OPT_ADAM, 1, 7, false, 4000, 3600, 1032},
    {OD_PREC_FLOAT32, OD_OPT_ADAM, 2, 4, false, 4000, 900, 1800},
    {OD_PREC_FLOAT32, OD_OPT_ADAM, 3, 4, false, 1000, 900, 1800},
    {OD_PREC_FLOAT32, OD_OPT_ADAM, 0, 1, true, 4000, 0, 0},
};

START_TEST(states)
{
    struct od_workload w = od_workload_defaults(NULL);
    w.precision = rows[_i].precision;
    w.optimizer = rows[_i].optimizer;
    w.zero_stage = rows[_i].zero;
    w.world_size = rows[_i].world;
    w.inference = rows[_i].inference;
    struct od_states s;
    ck_assert(od_states_of(&w, 1000, 900, &s));
    ck_assert_uint_eq(s.weights.n, rows[_i].weights);
    ck_assert_uint_eq(s.gradients.n, rows[_i].gradients);
    ck_assert_uint_eq(s.optimizer.n, rows[_i].optimizer_bytes);
    ck_assert(!od_states_of(&w, UINT64_MAX / 2, UINT64_MAX / 2, &s));
}
END_TEST

Suite *od_states_suite(void)
{
    return od_suite_loop("states", states, (int)OD_COUNT_OF(rows));
}
