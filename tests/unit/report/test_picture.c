/* The picture below the answer, on a page of text. */
#include "base/num.h"
#include "report/doc.h"
#include "report/page.h"
#include "tests/unit/report/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

static struct od_bar *bar_of(struct od_doc *doc)
{
    struct od_bar *bar = od_doc_bar(od_doc_section(doc, NULL));
    bar->title = "GPU 0, 8 GiB";
    bar->whole = 0.8;
    static const struct od_bar_part parts[] = {
        {.label = {"weights 4 GiB", 13}, .fill = OD_FILL_BASE, .length = 0.4},
        {.label = {"PID 7 3 GiB", 11}, .fill = OD_FILL_OTHERS, .length = 0.3},
        {.label = {"free 1 GiB", 10}, .fill = OD_FILL_FREE, .length = 0.1}};
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        od_doc_bar_part(bar, &parts[i]);
    bar->request =
        (struct od_mark){.label = "request 3 GiB", .tone = OD_BAD, .start = 0.7, .length = 0.3};
    return bar;
}

static void check_drawn(const char *expected, struct od_buf *drawn)
{
    ck_assert_str_eq(od_buf_str(drawn), expected);
    od_buf_done(drawn);
}

START_TEST(a_bar_is_to_scale_and_ends_at_the_limit)
{
    struct od_doc *doc = od_doc_new();
    struct od_buf drawn = {0};
    struct od_page page = {.to = &drawn, .columns = 44};
    od_text_bar(&page, bar_of(doc));
    check_drawn("  GPU 0, 8 GiB\n"
                "  %%%%%%%%%%%%%%%%xxxxxxxxxxxx....|\n"
                "                request 3 GiB <---------->\n"
                "  % weights 4 GiB  x PID 7 3 GiB\n"
                "  . free 1 GiB\n",
                &drawn);
    od_doc_free(doc);
}
END_TEST

START_TEST(a_part_too_small_to_draw_is_drawn)
{
    struct od_doc *doc = od_doc_new();
    struct od_buf drawn = {0};
    struct od_page page = {.to = &drawn, .columns = 24, .unicode = true};
    struct od_bar *bar = od_doc_bar(od_doc_section(doc, NULL));
    bar->title = "RAM";
    bar->whole = 1;
    od_doc_bar_part(bar, &(struct od_bar_part){.label = OD_VIEW("a"), .fill = 0, .length = 0.01});
    od_doc_bar_part(
        bar, &(struct od_bar_part){.label = OD_VIEW("b"), .fill = OD_FILL_FREE, .length = 0.99});
    od_text_bar(&page, bar);
    check_drawn("  RAM\n  █░░░░░░░░░░░░░░░░░░░▏\n  █ a  ░ b\n", &drawn);
    od_doc_free(doc);
}
END_TEST

static struct od_plot *plot_of(struct od_doc *doc)
{
    struct od_plot *plot = od_doc_plot(od_doc_section(doc, NULL));
    *plot = (struct od_plot){.title = "RAM",
                             .n = 4,
                             .levels = {0, 0.2, 0.4, 0.6},
                             .drawn = 1,
                             .forecast = -1,
                             .limit = -1,
                             .failed = -1,
                             .top = "8 G",
                             .half = "4 G",
                             .bottom = "0",
                             .from = "1",
                             .to = "9"};
    return plot;
}

START_TEST(a_plot_rises_from_left_to_right)
{
    struct od_doc *doc = od_doc_new();
    struct od_buf drawn = {0};
    struct od_page page = {.to = &drawn, .columns = 24, .unicode = true};
    od_text_plot(&page, plot_of(doc));
    check_drawn("  RAM\n  8 G ┤\n      ┤\n  4 G ┤            ███\n      ┤        ███████\n"
                "    0 ┤    ███████████\n       1             9\n",
                &drawn);
    od_doc_free(doc);
}
END_TEST

START_TEST(a_plot_shows_limit_and_forecast)
{
    struct od_doc *doc = od_doc_new();
    struct od_buf drawn = {0};
    struct od_page page = {.to = &drawn, .columns = 24};
    struct od_plot *plot = plot_of(doc);
    plot->drawn = 0.5;
    plot->forecast = 1;
    plot->limit = 1;
    plot->note = "limit at 9";
    od_text_plot(&page, plot);
    ck_assert_ptr_nonnull(strstr(od_buf_str(&drawn), "  8 G |~~~~~~~~"));
    ck_assert_ptr_nonnull(strstr(od_buf_str(&drawn), ":"));
    ck_assert_ptr_nonnull(strstr(od_buf_str(&drawn), "limit at 9"));
    od_buf_done(&drawn);
    od_doc_free(doc);
}
END_TEST

Suite *od_picture_suite(void)
{
    Suite *suite = suite_create("picture");
    TCase *tcase = tcase_create("picture");
    tcase_add_test(tcase, a_bar_is_to_scale_and_ends_at_the_limit);
    tcase_add_test(tcase, a_part_too_small_to_draw_is_drawn);
    tcase_add_test(tcase, a_plot_rises_from_left_to_right);
    tcase_add_test(tcase, a_plot_shows_limit_and_forecast);
    suite_add_tcase(suite, tcase);
    return suite;
}
