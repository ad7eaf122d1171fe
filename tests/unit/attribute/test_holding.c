#include "attribute/attribute.h"
#include "tests/unit/attribute/make.h"
#include "tests/unit/attribute/suites.h"

static const struct od_size_candidates *candidates_of(const struct od_holding *holding,
                                                      uint64_t bytes)
{
    for (size_t i = 0; i < holding->allocator->nsizes; i++) {
        if (holding->allocator->sizes[i].bytes == bytes)
            return &holding->sizes[i];
    }
    return NULL;
}

static uint64_t sum_of_roles(const struct od_holding *holding)
{
    uint64_t sum = 0;
    for (unsigned role = 0; role < OD_ROLES; role++)
        sum += holding->bytes_by_role[role];
    return sum;
}

/* Weights, both moments of Adam, and the forward pass at 40. */
static const struct od_holding *small_net(struct od_scenario *s)
{
    od_scenario_init(s);
    od_scenario_small_net(s);
    od_scenario_chunks(s, od_small_net_weights, 1);
    od_scenario_chunks(s, od_small_net_trained, 1);
    od_scenario_chunks(s, od_small_net_trained, 1);
    od_scenario_chunks(s, od_small_net_step, 1);
    od_scenario_chunk(s, 5000192, false);
    (void)od_scenario_close(s);
    od_scenario_fails(s, "[40,600]", "dense/MatMul");
    od_scenario_setting(s, "batch_size", "40");
    const struct od_attribution *attribution = od_attribute(&s->c, NULL, s->arena);
    ck_assert_uint_eq(attribution->nholdings, 1);
    return &attribution->holdings[0];
}

START_TEST(test_layer_by_layer)
{
    static const struct {
        uint64_t bytes;
        enum od_role role;
        const char *label;
    } want[] = {
        {10108928, OD_ROLE_OPTIMIZER, "dense/kernel"}, {2695680, OD_ROLE_ACTIVATION, "bn"},
        {674048, OD_ROLE_ACTIVATION, "flatten"},       {192000, OD_ROLE_INPUT, "input_1"},
        {16896, OD_ROLE_OPTIMIZER, "out/kernel"},      {2560, OD_ROLE_OPTIMIZER, "dense/bias"},
    };
    struct od_scenario s;
    const struct od_holding *holding = small_net(&s);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct od_size_candidates *found = candidates_of(holding, want[i].bytes);
        bool there = false;
        ck_assert_ptr_nonnull(found);
        ck_assert_uint_gt(found->n, 0);
        ck_assert_int_eq(found->list[0].role, want[i].role);
        for (size_t k = 0; k < found->n; k++)
            there = there || od_view_eq_str(found->list[k].label, want[i].label);
        ck_assert(there);
    }
    od_scenario_done(&s);
}
END_TEST

START_TEST(test_sums)
{
    struct od_scenario s;
    const struct od_holding *holding = small_net(&s);
    uint64_t trained = 0, weights = 0, step = 0;
    for (size_t i = 0; od_small_net_trained[i] != 0; i++)
        trained += od_small_net_trained[i];
    for (size_t i = 0; od_small_net_weights[i] != 0; i++)
        weights += od_small_net_weights[i];
    for (size_t i = 0; od_small_net_step[i] != 0; i++)
        step += od_small_net_step[i];
    ck_assert_uint_eq(sum_of_roles(holding), holding->allocator->in_use_bytes);
    ck_assert(od_bytes_is_exact(holding->fixed));
    ck_assert_uint_eq(holding->fixed.n, weights + 2 * trained);
    ck_assert_uint_eq(holding->per_sample.n, step / 40);
    ck_assert_uint_eq(holding->optimizer_copies.n, 2);
    ck_assert_ptr_nonnull(holding->basis);
    od_scenario_done(&s);
}
END_TEST

/* What nothing tells stays unknown. */
START_TEST(test_unknown)
{
    struct od_scenario s;
    od_scenario_init(&s);
    const uint64_t sizes[] = {1000192, 70400, 5120, 0};
    od_scenario_chunks(&s, sizes, 1);
    (void)od_scenario_close(&s);
    const struct od_holding *holding = od_attribute(&s.c, NULL, s.arena)->holdings;
    ck_assert_uint_eq(holding->bytes_by_role[OD_ROLE_UNKNOWN], holding->allocator->in_use_bytes);
    ck_assert(!holding->fixed.known);
    ck_assert(!holding->per_sample.known);
    ck_assert(!holding->optimizer_copies.known);
    for (size_t i = 0; i < holding->allocator->nsizes; i++)
        ck_assert_uint_eq(holding->sizes[i].n, 0);
    od_scenario_done(&s);
}
END_TEST

/* A summary without chunks: half the failing map in use, and pairs of everything else. */
START_TEST(test_summary_in_pairs)
{
    static const uint64_t kernels[] = {6912,    73728,   147456,  294912, 589824,
                                       1179648, 2359296, 4096000, 0};
    struct od_scenario s;
    od_scenario_init(&s);
    for (size_t i = 0; kernels[i] != 0; i++) {
        struct od_summary_row row = {.count = 2, .bytes = kernels[i]};
        od_vec_push(&s.dump.summary, row);
    }
    struct od_summary_row map = {.count = _i == 0 ? 1 : 0, .bytes = 36126720};
    if (map.count > 0)
        od_vec_push(&s.dump.summary, map);
    (void)od_scenario_close(&s);
    od_scenario_fails(&s, "[90,64,56,56]", "conv/Conv2D");
    const struct od_attribution *attribution = od_attribute(&s.c, NULL, s.arena);
    ck_assert_uint_eq(attribution->nholdings, 1);
    const struct od_holding *holding = &attribution->holdings[0];
    /* without a tensor of the step the pairs prove nothing */
    bool told = _i == 0;
    ck_assert_uint_eq(holding->bytes_by_role[OD_ROLE_ACTIVATION], told ? 36126720 : 0);
    ck_assert_uint_eq(holding->bytes_by_role[OD_ROLE_WEIGHTS], told ? 8747776 : 0);
    ck_assert_uint_eq(holding->bytes_by_role[OD_ROLE_OPTIMIZER], told ? 8747776 : 0);
    ck_assert(!holding->fixed.known);
    od_scenario_done(&s);
}
END_TEST

/* Names that chunks bear themselves decide, whichever framework gave them. */
static const struct {
    enum od_family family;
    const char *name;
    enum od_role role;
} names[] = {
    {OD_FAMILY_BFC, "model/conv1/Conv2D", OD_ROLE_ACTIVATION},
    {OD_FAMILY_BFC, "gradient_tape/model/fc/MatMul/MatMul_1", OD_ROLE_GRADIENTS},
    {OD_FAMILY_BFC, "gradient_tape/model/conv1/Conv2D/Conv2DBackpropInput", OD_ROLE_ACTIVATION},
    {OD_FAMILY_BFC, "IteratorGetNext", OD_ROLE_INPUT},
    {OD_FAMILY_BFC, "RestoreV2", OD_ROLE_FIXED},
    {OD_FAMILY_BFC, "something", OD_ROLE_UNKNOWN},
    {OD_FAMILY_TORCH, "forward (attention.py:77)", OD_ROLE_ACTIVATION},
    {OD_FAMILY_TORCH, "_init_group (adamw.py:120)", OD_ROLE_OPTIMIZER},
    {OD_FAMILY_TORCH, "load_state_dict (module.py:9)", OD_ROLE_WEIGHTS},
    {OD_FAMILY_TORCH, "main (train.py:5)", OD_ROLE_UNKNOWN},
};

START_TEST(test_named_chunks)
{
    struct od_scenario s;
    od_scenario_init(&s);
    s.dump.family = names[_i].family;
    od_scenario_chunk(&s, 524288, true);
    od_scenario_chunk(&s, 524288, true);
    struct od_chunk_details details = {.op = od_view_of(names[_i].name)};
    od_vec_push(&s.dump.details, details);
    s.dump.chunks.items[0].details = s.dump.chunks.items[1].details = 1;
    const struct od_allocator *a = od_scenario_close(&s);
    const struct od_holding *holding = od_attribute(&s.c, NULL, s.arena)->holdings;
    ck_assert_uint_eq(holding->bytes_by_role[names[_i].role], a->in_use_bytes);
    ck_assert_uint_eq(holding->sizes[0].n, names[_i].role != OD_ROLE_UNKNOWN);
    if (holding->sizes[0].n > 0)
        ck_assert(od_view_eq_str(holding->sizes[0].list[0].label, names[_i].name));
    od_scenario_done(&s);
}
END_TEST

/* While weights are restored no step runs: all that is in use was set up. */
START_TEST(test_outside_a_step)
{
    struct od_scenario s;
    od_scenario_init(&s);
    const uint64_t sizes[] = {1000192, 70400, 5120, 0};
    od_scenario_chunks(&s, sizes, 1);
    const struct od_allocator *a = od_scenario_close(&s);
    od_scenario_fails(&s, "[768,3072]", "RestoreV2/dense/kernel");
    const struct od_holding *holding = od_attribute(&s.c, NULL, s.arena)->holdings;
    ck_assert_uint_eq(holding->fixed.n, a->in_use_bytes);
    ck_assert_uint_eq(holding->bytes_by_role[OD_ROLE_FIXED], a->in_use_bytes);
    od_scenario_done(&s);
}
END_TEST

static uint32_t noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Whatever the dump, the roles close to what is in use. */
START_TEST(test_any_dump_closes)
{
    struct od_scenario s;
    uint32_t state = (uint32_t)_i * 7919u + 1;
    od_scenario_init(&s);
    if (_i % 2 == 0)
        od_scenario_small_net(&s);
    uint32_t n = noise(&state) % 200;
    for (uint32_t i = 0; i <= n; i++) {
        uint64_t kinds[] = {256,     5632,   10108928,
                            2695680, 674048, (1 + (uint64_t)noise(&state) % 4000) * 256};
        if (noise(&state) % 40 == 0)
            od_scenario_region(&s);
        od_scenario_chunk(&s, kinds[noise(&state) % 6], noise(&state) % 4 != 0);
        if (noise(&state) % 3 == 0)
            s.dump.chunks.items[s.dump.chunks.n - 1].next = noise(&state) % 300;
    }
    (void)od_scenario_close(&s);
    if (_i % 3 == 0)
        od_scenario_fails(&s, "[40,18,18,52]", "conv/Conv2D");
    const struct od_attribution *attribution = od_attribute(&s.c, NULL, s.arena);
    for (size_t i = 0; i < attribution->nholdings; i++) {
        const struct od_holding *holding = &attribution->holdings[i];
        ck_assert_uint_eq(sum_of_roles(holding), holding->allocator->in_use_bytes);
        ck_assert_ptr_eq(od_holding_of(attribution, holding->allocator), holding);
    }
    od_scenario_done(&s);
}
END_TEST

Suite *od_holding_suite(void)
{
    Suite *suite = suite_create("holding");
    TCase *tcase = tcase_create("holding");
    tcase_add_test(tcase, test_layer_by_layer);
    tcase_add_test(tcase, test_sums);
    tcase_add_test(tcase, test_unknown);
    tcase_add_test(tcase, test_outside_a_step);
    tcase_add_loop_test(tcase, test_summary_in_pairs, 0, 2);
    tcase_add_loop_test(tcase, test_named_chunks, 0, (int)(sizeof names / sizeof *names));
    tcase_add_loop_test(tcase, test_any_dump_closes, 0, 200);
    suite_add_tcase(suite, tcase);
    return suite;
}
