#include "base/arena.h"
#include "base/index.h"
#include "base/map.h"
#include "base/num.h"
#include "base/runs.h"
#include "base/text.h"
#include "base/view.h"
#include "base/word_table.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

START_TEST(view_cut_gives_every_part)
{
    struct od_view rest = OD_VIEW("a,bc,,d");
    struct od_view part;
    char joined[32] = "";
    while (od_view_cut(&rest, ',', &part)) {
        strncat(joined, part.p, part.n);
        strcat(joined, "|");
    }
    ck_assert_str_eq(joined, "a|bc||d|");
}
END_TEST

START_TEST(view_has_any_finds_each_anywhere)
{
    static const char *const texts[] = {"needle", "hay", "ab", NULL};
    static const struct {
        const char *text;
        bool has, starts, same;
    } rows[] = {{"needle", true, true, true},   {"a needle", true, false, false},
                {"needl", false, false, false}, {"xab", true, false, false},
                {"", false, false, false},      {"a", false, false, false},
                {"hahay", true, false, false},  {"ba", false, false, false},
                {"needles", true, true, false}, {"ab", true, true, true}};
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        struct od_view text = od_view_of(rows[i].text);
        ck_assert_msg(od_view_has_any(text, texts) == rows[i].has, "%s", rows[i].text);
        ck_assert_msg(od_view_starts_any(text, texts) == rows[i].starts, "%s", rows[i].text);
        ck_assert_msg(od_view_eq_any(text, texts) == rows[i].same, "%s", rows[i].text);
    }
}
END_TEST

START_TEST(view_lowered_takes_what_there_is_room_for)
{
    char to[5];
    ck_assert(od_view_eq_str(od_view_lowered(OD_VIEW("aZ-9"), to, sizeof to), "az-9"));
    ck_assert(od_view_eq_str(od_view_lowered(OD_VIEW("AFTER loading"), to, sizeof to), "after"));
    ck_assert_uint_eq(od_view_lowered((struct od_view){0}, to, sizeof to).n, 0);
}
END_TEST

START_TEST(runs_end_where_another_character_is)
{
    static const struct {
        const char *text;
        size_t at, past, past_any, until, until_any, back, back_any;
    } rows[] = {
        /* past, until and back: digits; the others: blanks and colons */
        {"ab12: x", 2, 4, 2, 2, 4, 2, 2}, {"ab12: x", 4, 4, 6, 7, 4, 2, 4},
        {"ab12: x", 6, 6, 6, 7, 7, 6, 4}, {"123", 0, 3, 0, 0, 3, 0, 0},
        {"123", 3, 3, 3, 3, 3, 0, 3},     {"", 0, 0, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        struct od_view text = od_view_of(rows[i].text);
        size_t at = rows[i].at;
        ck_assert_uint_eq(od_past(text, at, od_is_digit), rows[i].past);
        ck_assert_uint_eq(od_past_any(text, at, " :"), rows[i].past_any);
        ck_assert_uint_eq(od_until(text, at, od_is_digit), rows[i].until);
        ck_assert_uint_eq(od_until_any(text, at, " :"), rows[i].until_any);
        ck_assert_uint_eq(od_back(text, at, od_is_digit), rows[i].back);
        ck_assert_uint_eq(od_back_any(text, at, " :"), rows[i].back_any);
    }
    /* a place outside of the text stays, and NUL is in no list */
    ck_assert_uint_eq(od_past(OD_VIEW("12"), 5, od_is_digit), 5);
    ck_assert_uint_eq(od_until_any(OD_VIEW("12"), OD_VIEW_NONE, ":"), OD_VIEW_NONE);
    ck_assert(!od_is_any('\0', ":") && od_is_any(':', " :"));
    ck_assert(!od_view_at_any(OD_VIEW("a\0b"), 1, ":") && od_view_at(OD_VIEW("ab"), 2) == '\0');
    ck_assert(od_view_eq_str(od_view_part(OD_VIEW("abcd"), 1, 3), "bc"));
    ck_assert_uint_eq(od_view_part(OD_VIEW("abcd"), 3, 1).n, 0);
}
END_TEST

START_TEST(view_takes_and_ends_in_one_of_several)
{
    static const char *const texts[] = {"of ", "to: ", NULL};
    struct od_view text = OD_VIEW("to: of x");
    ck_assert(od_view_take_any(&text, texts) && od_view_eq_str(text, "of x"));
    ck_assert(od_view_take_any(&text, texts) && od_view_eq_str(text, "x"));
    ck_assert(!od_view_take_any(&text, texts) && od_view_eq_str(text, "x"));
    ck_assert(od_view_ends_any(OD_VIEW("made of "), texts));
    ck_assert(!od_view_ends_any(OD_VIEW("made of"), texts));
}
END_TEST

START_TEST(map_keeps_values_and_order)
{
    struct od_map map = {0};
    for (unsigned i = 0; i < 1000; i++) {
        char key[16];
        int n = snprintf(key, sizeof key, "key%u", i * 7919 % 1000);
        *od_map_at(&map, (struct od_view){key, (size_t)n}) += i;
    }
    ck_assert_uint_eq(map.n, 1000);
    ck_assert(od_view_eq_str(map.entries[1].key, "key919"));
    ck_assert_uint_eq(*od_map_get(&map, OD_VIEW("key919")), 1);
    ck_assert_ptr_null(od_map_get(&map, OD_VIEW("absent")));
    od_map_done(&map);
}
END_TEST

/* Keys that fall on each other, 0 among them. */
START_TEST(index_keeps_values)
{
    struct od_index index = {0};
    ck_assert_uint_eq(od_index_get(&index, 0), 0);
    for (uint32_t i = 0; i < 5000; i++)
        od_index_put(&index, (uint64_t)i << 40, i + 1);
    for (uint32_t i = 0; i < 5000; i++) {
        ck_assert_uint_eq(od_index_get(&index, (uint64_t)i << 40), i + 1);
        ck_assert_uint_eq(od_index_get(&index, ((uint64_t)i << 40) + 1), 0);
    }
    ck_assert_uint_eq(index.n, 5000);
    od_index_done(&index);
}
END_TEST

START_TEST(visible_text_holds_no_control_character)
{
    struct od_buf buf = {0};
    od_text_visible(OD_VIEW("a\x1b[31mb\xff\x7f\tc\xe2\x82\xac\xc2\x9b"), &buf);
    ck_assert_str_eq(od_buf_str(&buf), "a\xe2\x90\x9b[31mb\xef\xbf\xbd\xe2\x90\xa1\tc\xe2\x82\xac"
                                       "\xef\xbf\xbd");
    od_buf_done(&buf);
}
END_TEST

START_TEST(a_number_stands_close_behind)
{
    static const struct {
        const char *text;
        bool stands;
    } rows[] = {
        {"3", true},
        {" [12/", true},
        {": \xe2\x80\xa6 7", true},
        {"", false},
        {"_3", false},
        {" of 3", false},
        {" \n3", false},
        {" -", false},
        {"                        3", true},
        {"                         3", false},
    };
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++)
        ck_assert_msg(od_num_follows(od_view_of(rows[i].text), 0) == rows[i].stands, "%s",
                      rows[i].text);
    ck_assert(od_num_follows(OD_VIEW("Epoch 3"), 5));
}
END_TEST

START_TEST(arena_memory_is_zeroed_after_reset)
{
    struct od_arena *arena = od_arena_new();
    memset(od_arena_alloc(arena, 100, 1), 'x', 100);
    od_arena_reset(arena);
    const char *p = od_arena_alloc(arena, 100, 1);
    for (size_t i = 0; i < 100; i++)
        ck_assert_int_eq(p[i], 0);
    od_arena_free(arena);
}
END_TEST

START_TEST(words_are_found_whole_and_in_any_case)
{
    static const struct od_word_means table[] = {
        {"batch", 1}, {"batch_size", 2}, {"bs", 3}, {"size", 4}};
    static const struct {
        const char *word;
        unsigned means;
    } asked[] = {{"batch", 1}, {"Batch_Size", 2}, {"BS", 3},   {"size", 4}, {"batc", 0},
                 {"sizes", 0}, {"batch_", 0},     {"zeta", 0}, {"a", 0},    {"", 0}};
    for (size_t i = 0; i < OD_COUNT_OF(asked); i++)
        ck_assert_uint_eq(od_word_means(table, OD_COUNT_OF(table), od_view_of(asked[i].word)),
                          asked[i].means);
}
END_TEST

static Suite *containers(void)
{
    Suite *suite = suite_create("containers");
    TCase *tcase = tcase_create("containers");
    tcase_add_test(tcase, view_cut_gives_every_part);
    tcase_add_test(tcase, view_has_any_finds_each_anywhere);
    tcase_add_test(tcase, view_lowered_takes_what_there_is_room_for);
    tcase_add_test(tcase, runs_end_where_another_character_is);
    tcase_add_test(tcase, view_takes_and_ends_in_one_of_several);
    tcase_add_test(tcase, words_are_found_whole_and_in_any_case);
    tcase_add_test(tcase, map_keeps_values_and_order);
    tcase_add_test(tcase, index_keeps_values);
    tcase_add_test(tcase, visible_text_holds_no_control_character);
    tcase_add_test(tcase, a_number_stands_close_behind);
    tcase_add_test(tcase, arena_memory_is_zeroed_after_reset);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    Suite *suites[] = {containers(),       od_hypothetical_suite(),
                       od_bytes_suite(),   od_code_line_suite(),
                       od_daytime_suite(), od_log_prefix_suite(),
                       od_phrases_suite(), od_seconds_suite(),
                       od_stats_suite(),   NULL};
    return od_suites_run(suites);
}
