/* The numbers that a text states and that size its memory. */
#include "facts/mention.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text, *mention; /* the first; "" = none */
    bool sets, whole;
} rows[] = {
    {"n_batches=1000\n", "n_batches=1000", true, false},
    {"run --tile-size 512 now\n", "--tile-size 512", true, false},
    {"It runs with 13 gunicorn workers and is slow.\n", "13 gunicorn workers", false, false},
    {"It works with --jobs 4 on the server.\n", "--jobs 4", true, false},
    {"I have a machine with 16 GB RAM and it is old.\n", "16 GB RAM", false, true},
    {"The pod rises from 3 GB when it is in use.\n", "pod rises from 3 GB", false, false},
    {"I use version: 1200 of it, on port: 8080\n", "", false, false},
    {"This is the RTX 5090 with the seed 1234\n", "", false, false},
};

START_TEST(a_number_is_mentioned_with_its_words)
{
    struct od_arena *arena = od_arena_new();
    struct od_around *around = od_around_new();
    od_around_keep_head(around, 1, od_view_of(rows[_i].text));
    struct od_mention_question question = {.around = around, .at = {.source = 1, .line = 9}};
    const struct od_mentions *found = od_mentions_find(&question, arena);
    struct od_mention first = found->n > 0 ? found->list[0] : (struct od_mention){0};
    ck_assert_msg(od_view_eq_str(first.text, rows[_i].mention), "%.*s", (int)first.text.n,
                  first.text.p);
    ck_assert(first.sets == rows[_i].sets);
    ck_assert(first.whole == rows[_i].whole);
    od_around_free(around);
    od_arena_free(arena);
}
END_TEST

Suite *od_mention_suite(void)
{
    Suite *suite = suite_create("mention");
    TCase *cases = tcase_create("lines");
    tcase_add_loop_test(cases, a_number_is_mentioned_with_its_words, 0, (int)OD_COUNT_OF(rows));
    suite_add_tcase(suite, cases);
    return suite;
}
