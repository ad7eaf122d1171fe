/* HTML and Markdown of every fixture are well formed and contain no element from the log. */
#include "report/html_parts.h"
#include "tests/unit/report/fixture.h"
#include "tests/unit/report/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        n++;
    return n;
}

static void is_clean(const struct od_buf *buf)
{
    for (size_t i = 0; i < buf->n; i++) {
        unsigned char c = (unsigned char)buf->p[i];
        ck_assert_msg((c >= 0x20 && c != 0x7F) || c == '\n' || c == '\t', "control %02x", c);
    }
}

START_TEST(html_is_one_closed_page)
{
    static const char *const tags[] = {"section", "details", "table", "ul",  "li",
                                       "figure",  "main",    "h1",    "h2",  "pre",
                                       "strong",  "code",    "body",  "div", "summary"};
    for (unsigned options_of = 0; options_of < 2; options_of++) {
        struct od_report_options options = {.why = options_of > 0};
        struct od_buf buf = od_fixture_render((enum od_fixture_kind)_i, "html", &options);
        const char *page = od_buf_str(&buf);
        is_clean(&buf);
        for (size_t i = 0; i < OD_COUNT_OF(tags); i++) {
            char open[24], open_with[24], close[24];
            (void)snprintf(open, sizeof open, "<%s>", tags[i]);
            (void)snprintf(open_with, sizeof open_with, "<%s ", tags[i]);
            (void)snprintf(close, sizeof close, "</%s>", tags[i]);
            ck_assert_msg(count(page, open) + count(page, open_with) == count(page, close),
                          "%s is not closed", open);
        }
        ck_assert_uint_eq(count(page, "<h1"), 1);
        ck_assert_uint_eq(count(page, "<script"), 1);
        ck_assert_uint_eq(count(page, " style="), 0);
        ck_assert_uint_eq(count(page, " onerror="), 0);
        ck_assert_ptr_nonnull(strstr(page, od_html_style()));
        ck_assert_ptr_nonnull(strstr(page, od_html_script()));
        od_buf_done(&buf);
    }
}
END_TEST

START_TEST(markdown_is_closed)
{
    struct od_report_options options = {0};
    struct od_buf buf = od_fixture_render((enum od_fixture_kind)_i, "markdown", &options);
    const char *text = od_buf_str(&buf);
    is_clean(&buf);
    ck_assert_msg(strncmp(text, "### ", 4) == 0, "%s", text);
    ck_assert_uint_eq(count(text, "\n<details>"), count(text, "\n</details>"));
    ck_assert_uint_eq(count(text, "\n```") % 2, 0);
    ck_assert_uint_le(buf.n, 60000);
    od_buf_done(&buf);
}
END_TEST

Suite *od_pages_suite(void)
{
    Suite *suite = suite_create("pages");
    TCase *tcase = tcase_create("pages");
    tcase_add_loop_test(tcase, html_is_one_closed_page, 0, OD_FIXTURES);
    tcase_add_loop_test(tcase, markdown_is_closed, 0, OD_FIXTURES);
    suite_add_tcase(suite, tcase);
    return suite;
}
