#include "facts/around.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>

static struct od_prov line_of(uint64_t line)
{
    return (struct od_prov){.source = 1, .line = line, .nlines = 1};
}

static void is_kept(const struct od_around *around, uint64_t line, const char *text)
{
    struct od_view kept = od_around_find(around, line_of(line));
    ck_assert_msg(od_view_eq_str(kept, text), "line %d: '%.*s'", (int)line, (int)kept.n, kept.p);
}

START_TEST(lines_beside_are_kept)
{
    struct od_view bytes = OD_VIEW("a\nb\nc\r\nd\ne\nf\n");
    struct od_around *around = od_around_new();
    od_around_keep(around, line_of(13), od_view_head(od_view_from(bytes, 4), 1), bytes);
    for (uint64_t i = 11; i <= 15; i++)
        is_kept(around, i, (const char[]){(char)('a' + i - 11), '\0'});
    is_kept(around, 10, "");
    is_kept(around, 16, "");
    ck_assert_uint_eq(od_around_find(around, (struct od_prov){.source = 0, .line = 13}).n, 0);
    ck_assert_uint_eq(od_around_find(NULL, line_of(13)).n, 0);
    od_around_free(around);
}
END_TEST

START_TEST(a_block_ends_a_window)
{
    struct od_view bytes = OD_VIEW("only");
    struct od_around *around = od_around_new();
    od_around_keep(around, line_of(1), bytes, bytes);
    is_kept(around, 1, "only");
    is_kept(around, 2, "");
    is_kept(around, 0, "");
    od_around_free(around);
}
END_TEST

START_TEST(long_lines_are_cut_as_excerpts)
{
    char text[2 * OD_AROUND_TEXT] = "x";
    struct od_around *around = od_around_new();
    for (size_t i = 1; i + 1 < sizeof text; i += 2) {
        text[i] = '\xC3';
        text[i + 1] = '\xA4';
    }
    struct od_view line = {text, sizeof text - 1};
    od_around_keep(around, line_of(1), line, line);
    struct od_view kept = od_around_find(around, line_of(1));
    ck_assert(kept.n <= OD_AROUND_TEXT && od_view_ends(kept, OD_VIEW("\xc3\xa4\xe2\x80\xa6")));
    od_around_free(around);
}
END_TEST

START_TEST(the_first_and_the_last_stay)
{
    struct od_around *around = od_around_new();
    enum { PLACES = 5 * (OD_AROUND_FIRST + OD_AROUND_LAST) };
    for (unsigned i = 1; i <= PLACES; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%u", i);
        struct od_view line = od_view_of(text);
        od_around_keep(around, line_of(10 * (uint64_t)i), line, line);
    }
    is_kept(around, 10, "1");
    is_kept(around, 10 * (uint64_t)OD_AROUND_FIRST, "48");
    is_kept(around, 10 * ((uint64_t)OD_AROUND_FIRST + 1), "");
    is_kept(around, 10 * (uint64_t)PLACES, "320");
    is_kept(around, 10 * ((uint64_t)PLACES - OD_AROUND_LAST + 1), "305");
    is_kept(around, 10 * ((uint64_t)PLACES - OD_AROUND_LAST), "");
    od_around_free(around);
}
END_TEST

Suite *od_around_suite(void)
{
    Suite *suite = suite_create("around");
    TCase *tcase = tcase_create("around");
    tcase_add_test(tcase, lines_beside_are_kept);
    tcase_add_test(tcase, a_block_ends_a_window);
    tcase_add_test(tcase, long_lines_are_cut_as_excerpts);
    tcase_add_test(tcase, the_first_and_the_last_stay);
    suite_add_tcase(suite, tcase);
    return suite;
}
