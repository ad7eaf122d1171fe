#include "attribute/sequence.h"
#include "tests/unit/attribute/make.h"
#include "tests/unit/attribute/suites.h"

/* Handles 1, 2, ... belong to the chunks after the first; here the second chunk was split last. */
START_TEST(test_order_is_that_of_handles)
{
    struct od_scenario s;
    od_scenario_init(&s);
    const uint64_t sizes[] = {256, 512, 768, 1024, 0};
    od_scenario_chunks(&s, sizes, 1);
    s.dump.chunks.items[0].next = 9;
    s.dump.chunks.items[1].next = 2;
    s.dump.chunks.items[2].next = 3;
    s.dump.chunks.items[3].next = OD_HANDLE_END;
    struct od_sequence sequence = od_sequence_of(od_scenario_close(&s), s.arena);
    ck_assert(sequence.ordered);
    ck_assert_uint_eq(sequence.n, 4);
    const uint64_t want[] = {256, 768, 1024, 512};
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(sequence.items[i].bytes, want[i]);
    od_scenario_done(&s);
}
END_TEST

START_TEST(test_free_chunks_are_left_out)
{
    struct od_scenario s;
    od_scenario_init(&s);
    od_scenario_chunk(&s, 256, true);
    od_scenario_chunk(&s, 4096, false);
    od_scenario_chunk(&s, 512, true);
    struct od_sequence sequence = od_sequence_of(od_scenario_close(&s), s.arena);
    ck_assert_uint_eq(sequence.n, 2);
    ck_assert_uint_eq(sequence.bytes, 768);
    od_scenario_done(&s);
}
END_TEST

/* The first chunk of a region is as old as its oldest handle, not as its place in the list. */
START_TEST(test_first_of_a_region)
{
    struct od_scenario s;
    od_scenario_init(&s);
    od_scenario_chunk(&s, 256, true);
    od_scenario_chunk(&s, 512, true);
    od_scenario_region(&s);
    od_scenario_chunk(&s, 1024, true);
    od_scenario_chunk(&s, 2048, true);
    s.dump.chunks.items[0].next = 20;
    s.dump.chunks.items[1].next = OD_HANDLE_END;
    s.dump.chunks.items[2].next = 5;
    s.dump.chunks.items[3].next = OD_HANDLE_END;
    struct od_sequence sequence = od_sequence_of(od_scenario_close(&s), s.arena);
    const uint64_t want[] = {1024, 2048, 256, 512};
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(sequence.items[i].bytes, want[i]);
    od_scenario_done(&s);
}
END_TEST

START_TEST(test_without_handles)
{
    for (unsigned regions = 1; regions <= 2; regions++) {
        struct od_scenario s;
        od_scenario_init(&s);
        for (unsigned r = 0; r < regions; r++) {
            od_scenario_region(&s);
            od_scenario_chunk(&s, 512, true);
            od_scenario_chunk(&s, 256, true);
        }
        for (size_t i = 0; i < s.dump.chunks.n; i++)
            s.dump.chunks.items[i].next = OD_HANDLE_UNKNOWN;
        struct od_sequence sequence = od_sequence_of(od_scenario_close(&s), s.arena);
        ck_assert_uint_eq(sequence.ordered, regions == 1);
        ck_assert_uint_eq(sequence.n, 2 * regions);
        ck_assert_uint_eq(sequence.items[0].bytes, 512);
        od_scenario_done(&s);
    }
}
END_TEST

START_TEST(test_summary_alone)
{
    struct od_scenario s;
    od_scenario_init(&s);
    struct od_summary_row row = {.count = 3, .bytes = 1024};
    od_vec_push(&s.dump.summary, row);
    struct od_sequence sequence = od_sequence_of(od_scenario_close(&s), s.arena);
    ck_assert(!sequence.ordered);
    ck_assert_uint_eq(sequence.n, 3);
    ck_assert_uint_eq(sequence.items[2].chunk, OD_NO_CHUNK);
    od_scenario_done(&s);
}
END_TEST

/* A count that is too large to list is not expanded. */
START_TEST(test_absurd_summary)
{
    struct od_scenario s;
    od_scenario_init(&s);
    struct od_summary_row row = {.count = UINT64_MAX / 512, .bytes = 256};
    od_vec_push(&s.dump.summary, row);
    struct od_sequence sequence = od_sequence_of(od_scenario_close(&s), s.arena);
    ck_assert_uint_eq(sequence.n, 0);
    od_scenario_done(&s);
}
END_TEST

Suite *od_sequence_suite(void)
{
    Suite *suite = suite_create("sequence");
    TCase *tcase = tcase_create("sequence");
    tcase_add_test(tcase, test_order_is_that_of_handles);
    tcase_add_test(tcase, test_free_chunks_are_left_out);
    tcase_add_test(tcase, test_first_of_a_region);
    tcase_add_test(tcase, test_without_handles);
    tcase_add_test(tcase, test_summary_alone);
    tcase_add_test(tcase, test_absurd_summary);
    suite_add_tcase(suite, tcase);
    return suite;
}
