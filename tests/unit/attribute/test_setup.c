#include "attribute/setup.h"
#include "tests/unit/attribute/make.h"
#include "tests/unit/attribute/suites.h"

static const uint64_t kernels[] = {7168, 73728, 147456, 294912, 589824, 2048, 1179648, 4096000, 0};
static const uint64_t maps[] = {51380224, 25690112, 12845056, 51380224, 6422528,
                                25690112, 12845056, 6422528,  0};

enum od_style { ROW_BY_ROW, STATES_TOGETHER };

/* How a program starts: copies of the kernels, scalars between them, then the step. */
static const struct {
    unsigned copies;
    enum od_style style;
    unsigned models;
    unsigned steps; /* times the maps */
    bool known;
} starts[] = {
    {3, ROW_BY_ROW, 1, 1, true},      /* Adam: all first moments, then all second */
    {3, STATES_TOGETHER, 1, 1, true}, /* both moments of one weight, then of the next */
    {2, ROW_BY_ROW, 1, 1, true},      /* momentum */
    {1, ROW_BY_ROW, 1, 1, false},     /* plain SGD: nothing comes again */
    {1, ROW_BY_ROW, 1, 3, false},     /* activations that come again are no states */
    {3, ROW_BY_ROW, 1, 3, true},      {3, ROW_BY_ROW, 4, 0, true}, /* four models, no step */
};

static void add_scalars(struct od_scenario *s)
{
    for (unsigned i = 0; i < 5; i++)
        od_scenario_chunk(s, 256, true);
}

START_TEST(test_repetition)
{
    struct od_scenario s;
    od_scenario_init(&s);
    add_scalars(&s);
    for (unsigned m = 0; m < starts[_i].models; m++) {
        od_scenario_chunks(&s, kernels, 1);
        if (starts[_i].style == STATES_TOGETHER)
            od_scenario_chunks(&s, kernels, starts[_i].copies - 1);
        for (unsigned c = 1; starts[_i].style == ROW_BY_ROW && c < starts[_i].copies; c++)
            od_scenario_chunks(&s, kernels, 1);
        add_scalars(&s);
    }
    size_t end = s.dump.chunks.n;
    for (unsigned i = 0; i < starts[_i].steps; i++)
        od_scenario_chunks(&s, maps, 1);
    const struct od_allocator *a = od_scenario_close(&s);
    struct od_sequence sequence = od_sequence_of(a, s.arena);
    struct od_named_list none = {0};
    struct od_setup setup = od_setup_find(&sequence, a->nsizes, &none, s.arena);
    ck_assert_uint_eq(setup.known, starts[_i].known);
    if (setup.known) {
        ck_assert_uint_eq(setup.end, end);
        ck_assert_uint_eq(setup.copies, starts[_i].copies);
        ck_assert(!setup.by_table);
    }
    od_scenario_done(&s);
}
END_TEST

/* The table finds the end whatever the optimizer. */
START_TEST(test_table)
{
    struct od_scenario s;
    od_scenario_init(&s);
    od_scenario_small_net(&s);
    add_scalars(&s);
    od_scenario_chunks(&s, od_small_net_weights, 1);
    for (int c = 1; c < _i; c++)
        od_scenario_chunks(&s, od_small_net_trained, 1);
    add_scalars(&s);
    size_t end = s.dump.chunks.n;
    od_scenario_chunks(&s, od_small_net_step, 1);
    const struct od_allocator *a = od_scenario_close(&s);
    struct od_sequence sequence = od_sequence_of(a, s.arena);
    struct od_named_list weights = od_weights_of(&s.c.models.items[0], s.arena);
    struct od_setup setup = od_setup_find(&sequence, a->nsizes, &weights, s.arena);
    ck_assert(setup.known);
    ck_assert(setup.by_table);
    ck_assert_uint_eq(setup.end, end);
    ck_assert_int_eq((int)setup.copies, _i);
    ck_assert_int_eq(setup.certainty, OD_LIKELY);
    od_scenario_done(&s);
}
END_TEST

/* An order that is not known tells nothing. */
START_TEST(test_unordered)
{
    struct od_scenario s;
    od_scenario_init(&s);
    od_scenario_chunks(&s, kernels, 3);
    const struct od_allocator *a = od_scenario_close(&s);
    struct od_sequence sequence = od_sequence_of(a, s.arena);
    struct od_named_list none = {0};
    sequence.ordered = false;
    ck_assert(!od_setup_find(&sequence, a->nsizes, &none, s.arena).known);
    od_scenario_done(&s);
}
END_TEST

Suite *od_setup_suite(void)
{
    Suite *suite = suite_create("setup");
    TCase *tcase = tcase_create("setup");
    tcase_add_loop_test(tcase, test_repetition, 0, (int)(sizeof starts / sizeof *starts));
    tcase_add_loop_test(tcase, test_table, 1, 5);
    tcase_add_test(tcase, test_unordered);
    suite_add_tcase(suite, tcase);
    return suite;
}
