/* Phrases of many lists in one pass. */
#include "base/phrases.h"

#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

enum { ONE, TWO };

static const struct od_phrase all[] = {
    {"at", 0x7461, 0xffff, 2, OD_LIST(ONE)},
    {"at once", 0x6f207461, 0xffffffff, 7, OD_LIST(TWO)},
    {"\xe8\xaf\x95", 0x95afe8, 0xffffff, 3, OD_LIST(ONE) | OD_LIST(TWO)},
};

static struct od_phrase_table table_of(void)
{
    struct od_phrase_table table = {.all = all};
    for (size_t i = 0; i < OD_COUNT_OF(all); i++)
        for (size_t k = od_phrase_bucket(all[i].text) + 1; k <= OD_PHRASE_BUCKETS; k++)
            table.from[k]++;
    return table;
}

static const struct {
    const char *text;
    size_t one, two;
} texts[] = {
    {"", OD_VIEW_NONE, OD_VIEW_NONE},
    {"at", 0, OD_VIEW_NONE},
    {"a", OD_VIEW_NONE, OD_VIEW_NONE},
    {"all At once", 4, 4},
    {"at oncegone", 0, OD_VIEW_NONE},
    {"cat atop at_once", OD_VIEW_NONE, OD_VIEW_NONE},
    {"-at-", 1, OD_VIEW_NONE},
    {"b\xe8\xaf\x95g", 1, 1},
    {"b\xe8\xaf", OD_VIEW_NONE, OD_VIEW_NONE},
};

START_TEST(phrases_are_whole_words)
{
    struct od_phrases found;
    struct od_phrase_table table = table_of();
    struct od_view text = od_view_of(texts[_i].text);
    od_phrases_find(&found, &table, text);
    ck_assert_uint_eq(od_phrases_at(&found, text, OD_LIST(ONE)), texts[_i].one);
    ck_assert_uint_eq(od_phrases_at(&found, text, OD_LIST(TWO)), texts[_i].two);
}
END_TEST

START_TEST(a_part_has_what_stands_in_it_whole)
{
    struct od_phrases found;
    struct od_phrase_table table = table_of();
    struct od_view text = OD_VIEW("now at once");
    od_phrases_find(&found, &table, text);
    struct od_view part = od_view_head(od_view_from(text, 2), 5);
    ck_assert_uint_eq(od_phrases_at(&found, part, OD_LIST(ONE)), 2);
    ck_assert_uint_eq(od_phrases_at(&found, part, OD_LIST(TWO)), OD_VIEW_NONE);
    ck_assert_uint_eq(od_phrases_at(&found, od_view_from(text, 5), OD_LIST(TWO)), OD_VIEW_NONE);
}
END_TEST

START_TEST(there_is_an_end_to_them)
{
    struct od_phrases found;
    struct od_phrase_table table = table_of();
    struct od_buf text = {0};
    for (size_t i = 0; i < 2 * OD_COUNT_OF(found.found); i++)
        od_buf_add_str(&text, "at ");
    od_phrases_find(&found, &table, od_buf_view(&text));
    ck_assert_uint_eq(found.n, OD_COUNT_OF(found.found));
    od_buf_done(&text);
}
END_TEST

Suite *od_phrases_suite(void)
{
    Suite *suite = suite_create("phrases");
    TCase *tcase = tcase_create("phrases");
    tcase_add_loop_test(tcase, phrases_are_whole_words, 0, (int)OD_COUNT_OF(texts));
    tcase_add_test(tcase, a_part_has_what_stands_in_it_whole);
    tcase_add_test(tcase, there_is_an_end_to_them);
    suite_add_tcase(suite, tcase);
    return suite;
}
