/* Figures as tables: what they show sums to what was read, and no stranger's word is in them. */
#include "report/figure.h"

#include "base/mem.h"
#include "base/num.h"
#include "report/figure_svg.h"
#include "tests/unit/report/fixture.h"
#include "tests/unit/report/suites.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct od_figure *find(const struct od_figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->n; i++)
        if (strcmp(figures->list[i].name, name) == 0)
            return &figures->list[i];
    return NULL;
}

/* The column (from 0) of every row of every block: sum, last value, rows. */
struct sums {
    double sum, last;
    size_t rows;
};

static struct sums add_up(const struct od_figure *figure, unsigned column)
{
    struct sums sums = {0};
    struct od_view rest = figure->data, line, word = {0};
    while (od_view_cut(&rest, '\n', &line)) {
        if (line.n == 0 || *line.p == '#')
            continue;
        for (unsigned i = 0; i <= column; i++)
            ck_assert(od_view_cut(&line, ' ', &word));
        ck_assert(od_num_parse_double(word, &sums.last));
        sums.sum += sums.last;
        sums.rows++;
    }
    return sums;
}

START_TEST(figures_close)
{
    struct od_fixture *f = od_fixture_new(OD_FIX_FRAGMENTED);
    const struct od_allocator *a = f->c.allocators.items[0];
    const struct od_figures *figures = od_figures_of(&f->report, f->arena);
    double pool = (double)(a->in_use_bytes + a->free_bytes);
    const struct od_figure *map = find(figures, "memory_map");
    ck_assert_ptr_nonnull(map);
    ck_assert_double_eq_tol(add_up(map, 4).sum, pool, 0.5);
    const struct od_figure *bins = find(figures, "bins");
    ck_assert_ptr_nonnull(bins);
    ck_assert_double_eq_tol(add_up(bins, 4).sum, (double)a->in_use_bytes, 0.5);
    ck_assert_double_eq_tol(add_up(bins, 5).sum, (double)a->free_bytes, 0.5);
    ck_assert_double_eq_tol(add_up(bins, 2).sum, (double)a->in_use_count, 0.5);
    const struct od_figure *holders = find(figures, "holders");
    ck_assert_ptr_nonnull(holders);
    ck_assert_double_eq_tol(add_up(holders, 2).last, (double)a->limit.n, 0.5);
    double lengths = add_up(holders, 2).sum - add_up(holders, 1).sum;
    ck_assert_double_eq_tol(lengths, (double)a->limit.n, 0.5);
    od_fixture_free(f);
}
END_TEST

/* Twenty thousand chunks of many sizes, every third one free. */
static void fill_with_chunks(struct od_fixture *f)
{
    struct od_allocator *a = f->c.allocators.items[0];
    uint64_t noise = 7;
    a->dump.chunks.n = 0;
    a->limit.known = false;
    a->in_use_bytes = a->free_bytes = 0;
    for (unsigned i = 0; i < 20000; i++) {
        noise = noise * UINT64_C(6364136223846793005) + 1442695040888963407U;
        uint64_t bytes = 256 * (16 + (noise >> 56));
        struct od_chunk chunk = {.bytes = bytes, .in_use = i % 3 > 0};
        od_vec_push(&a->dump.chunks, chunk);
        *(chunk.in_use ? &a->in_use_bytes : &a->free_bytes) += chunk.bytes;
    }
}

START_TEST(many_chunks_are_merged)
{
    struct od_fixture *f = od_fixture_new(OD_FIX_FRAGMENTED);
    fill_with_chunks(f);
    const struct od_allocator *a = f->c.allocators.items[0];
    const struct od_figure *map = find(od_figures_of(&f->report, f->arena), "memory_map");
    ck_assert_ptr_nonnull(map);
    struct sums sums = add_up(map, 4);
    ck_assert_double_eq_tol(sums.sum, (double)(a->in_use_bytes + a->free_bytes), 0.5);
    ck_assert_uint_gt(sums.rows, 300);
    ck_assert_uint_le(sums.rows, 2000); /* of a thousand stretches, each may be in two blocks */
    ck_assert_uint_le(map->data.n, 100000);
    od_fixture_free(f);
}
END_TEST

static const char *const ours[] = {"×", "…"};

/* Printable ASCII and the few signs of ours. */
static void check_words(const char *name, struct od_view text)
{
    for (size_t i = 0; i < text.n; i++) {
        bool fine = text.p[i] == '\n' || (text.p[i] >= ' ' && text.p[i] <= '~');
        for (size_t k = 0; k < OD_COUNT_OF(ours) && !fine; k++)
            if (od_view_starts(od_view_from(text, i), od_view_of(ours[k]))) {
                i += strlen(ours[k]) - 1;
                fine = true;
            }
        ck_assert_msg(fine, "%s: byte %#x at %zu", name, (unsigned char)text.p[i], i);
    }
    static const char *const theirs[] = {"`", "system", "script>", "title", "reboot", "aaaa"};
    for (size_t k = 0; k < OD_COUNT_OF(theirs); k++) {
        bool is_there = od_view_has(text, od_view_of(theirs[k]));
        bool command = strcmp(theirs[k], "title") == 0; /* a word of gnuplot, too */
        ck_assert_msg(!is_there || command, "%s: %s", name, theirs[k]);
    }
}

START_TEST(no_stranger_speaks)
{
    struct od_fixture *f = od_fixture_new((enum od_fixture_kind)_i);
    const struct od_figures *figures = od_figures_of(&f->report, f->arena);
    for (size_t i = 0; i < figures->n; i++) {
        const struct od_figure *figure = &figures->list[i];
        check_words(figure->name, figure->data);
        check_words(figure->name, figure->script);
        check_words(figure->name, od_view_of(figure->title));
        check_words(figure->name, od_view_of(figure->alt));
        check_words(figure->name, od_view_of(figure->name));
        ck_assert_uint_gt(figure->height, 100);
        ck_assert_uint_lt(figure->height, 1000);
    }
    od_fixture_free(f);
}
END_TEST

static void add_series(struct od_fixture *f, size_t points, double slope)
{
    struct od_point *samples = OD_NEW_N(f->arena, points, struct od_point);
    struct od_series s = {.metric = OD_SERIES_HOST_RSS,
                          .device = OD_VIEW("\x1b[31m$(reboot)"),
                          .process = OD_VIEW("`reboot`"),
                          .points = points,
                          .samples = samples,
                          .nsamples = points,
                          .limit_known = true,
                          .limit = 8e9,
                          .trend = OD_TREND_LEAK,
                          .at = {.line = 10},
                          .slope_known = true,
                          .slope = slope,
                          .slope_lo = slope * 0.9,
                          .slope_hi = slope * 1.1};
    for (size_t i = 0; i < points; i++)
        samples[i] =
            (struct od_point){.x = (double)i, .value = 1e9 + slope * (double)i, .line = 10 + i};
    s.first = s.min = samples[0].value;
    s.last = s.max = s.end_level = samples[points - 1].value;
    s.exhausts_known = true;
    s.exhausts_x = s.exhausts_lo = s.exhausts_hi = (8e9 - 1e9) / slope;
    od_vec_push(&f->c.series, s);
}

START_TEST(timelines_are_drawn)
{
    struct od_fixture *f = od_fixture_new(OD_FIX_OTHER);
    add_series(f, 3, 1e8);
    ck_assert_uint_eq(od_figures_of(&f->report, f->arena)->n, 0); /* three points are no course */
    add_series(f, 4000, 1e6);
    const struct od_figures *figures = od_figures_of(&f->report, f->arena);
    ck_assert_uint_eq(figures->n, 1);
    const struct od_figure *line = find(figures, "timeline_1");
    ck_assert_ptr_nonnull(line);
    struct sums sums = add_up(line, 1);
    ck_assert_uint_lt(sums.rows, 900);
    ck_assert_ptr_nonnull(strstr(line->script.p, "limit 7.45 GiB"));
    ck_assert_ptr_nonnull(strstr(line->script.p, "if growth continues"));
    check_words("timeline_1", line->script);
    check_words("timeline_1", line->data);
    check_words("timeline_1", od_view_of(line->title));
    for (size_t i = 0; i < 100; i++)
        add_series(f, 50, 1e6 + (double)i);
    ck_assert_uint_lt(od_figures_of(&f->report, f->arena)->n, 10);
    od_vec_done(&f->c.series);
    od_fixture_free(f);
}
END_TEST

/* At lo 95 of 100 fit, at the largest half, at hi 5; where the median crosses the limit, half. */
START_TEST(batch_meets_its_marks)
{
    struct od_fixture *f = od_fixture_new(OD_FIX_OTHER);
    struct od_answer answer = {.batch = od_count_of(64),
                               .largest = od_count_of(40),
                               .lo = od_count_of(32),
                               .hi = od_count_of(48),
                               .recommended = od_count_of(32),
                               .fixed = od_bytes_exact(1000000000),
                               .per_sample = od_bytes_exact(225000000),
                               .limit = od_bytes_exact(10000000000)};
    f->report.answer = &answer;
    const struct od_figure *batch = find(od_figures_of(&f->report, f->arena), "batch");
    ck_assert_ptr_nonnull(batch);
    struct od_view rest = batch->data, line, word;
    double before = 1, fits;
    while (od_view_cut(&rest, '\n', &line)) {
        double at;
        if (line.n == 0 || *line.p == '#')
            continue;
        ck_assert(od_view_cut(&line, ' ', &word) && od_num_parse_double(word, &at));
        for (int i = 0; i < 4; i++)
            (void)od_view_cut(&line, ' ', &word);
        ck_assert(od_num_parse_double(word, &fits));
        ck_assert_double_le(fits, before);
        ck_assert(at > 32 || fits >= 0.95);
        ck_assert(at < 48 || fits <= 0.051);
        ck_assert((at <= 40) == (fits >= 0.499));
        before = fits;
    }
    ck_assert_double_lt(before, 0.05);
    answer.largest.known = false;
    ck_assert_ptr_null(find(od_figures_of(&f->report, f->arena), "batch"));
    od_fixture_free(f);
}
END_TEST

#define WRAP(inside) "<?xml version='1.0'?><svg width='6' height='6'>" inside "</svg>"

/* What is in the result, what is not; NULL = refused. */
static const struct {
    const char *drawn, *has, *lacks;
} drawings[] = {
    {WRAP("<path stroke='black' d='M1.26,2.00 L3.00,4.00 '/>"),
     "<path stroke=\"currentColor\" d=\"M1.3,2L3,4\"/>", "width="},
    {WRAP("<g fill='rgb( 0,114,178)'><polygon points = '1,2 3,4 5,6'/>"
          "<polygon points='7,8 9,1 2,3'/></g>"),
     "<path fill=\"#0072B2\" d=\"M1,2 3,4 5,6zM7,8 9,1 2,3z\"/>", "polygon"},
    {WRAP("<g transform='translate(1.00,2.55)' fill='black' text-anchor='end' font-size='15.00'>"
          "<text> a &amp; b &lt; c</text></g>"),
     "<text x=\"1\" y=\"2.6\" fill=\"currentColor\" text-anchor=\"end\">a &amp; b &lt; c</text>",
     "font-size=\"15.00\""},
    {WRAP("<g transform='translate(1.00,2.00) rotate(-90)' fill='black'><text>up</text></g>"),
     "transform=\"translate(1.00,2.00) rotate(-90)\"", "x="},
    {WRAP("<script>alert(1)</script><path stroke='red' d='M1,2L3,4'/>"), "stroke=\"red\"", "alert"},
    {WRAP("<path stroke='red' onload='alert(1)' style='x' id='theirs' d='M1,2L3,4'/>"), "M1,2L3,4",
     "alert"},
    {WRAP("<path fill='url(http://example.org/)' stroke='red' d='M1,2L3,4'/>"), "M1,2L3,4", "url"},
    {WRAP("<image href='http://example.org/'/><use xlink:href='#a'/><foreignObject><p>x</p>"
          "</foreignObject><a href='javascript:x'><path stroke='red' d='M1,2L3,4'/></a>"),
     "</desc>\n</svg>", "example"},
    {WRAP("<path stroke='red\"/><script>' d='M1,2L3,4'/>"), "</svg>", "<script"},
    {WRAP("<path stroke='red' d='M1,2&quot;/>&lt;script>'/>"), "</svg>", "script"},
    {WRAP("<g fill='black'><text>x<script>alert(1)</script>&#60;b&gt;</text></g>"),
     "x&amp;#60;b&gt;", "alert"},
    {WRAP(
         "<title>Gnuplot</title><desc>theirs</desc><defs><path stroke='red' d='M1,2L3,4'/></defs>"),
     "<title id=\"figure-x-title\">a &lt;b&gt;</title>", "Gnuplot"},
    {"<?xml version='1.0'?><svg><g><path d='M1,2'/>", NULL, NULL},
    {"<html><svg></svg></html>", NULL, NULL},
    {"", NULL, NULL},
    {"no picture at all", NULL, NULL},
    {"<svg></g></svg>", "</svg>", "</g>"},
    {"<svg><path d=M1/></svg>", NULL, NULL},
    {WRAP(
         "<g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g>"),
     NULL, NULL},
};

START_TEST(only_shapes_and_words_pass)
{
    static const struct od_figure figure = {
        .name = "x", .title = "a <b>", .alt = "\"quoted\" & said", .height = 300};
    struct od_buf to = {0};
    od_buf_add_str(&to, "before");
    bool ok = od_figure_svg(&figure, od_view_of(drawings[_i].drawn), &to);
    ck_assert_int_eq(ok, drawings[_i].has != NULL);
    const char *text = od_buf_str(&to);
    if (!ok) {
        ck_assert_str_eq(text, "before");
    } else {
        ck_assert_msg(strstr(text, drawings[_i].has) != NULL, "%s", text);
        const char *body = strstr(text, "</desc>");
        ck_assert_ptr_nonnull(body);
        ck_assert_msg(strstr(body, drawings[_i].lacks) == NULL, "%s", text);
        ck_assert_ptr_nonnull(strstr(text, "role=\"img\""));
        ck_assert_ptr_nonnull(strstr(text, "\"quoted\" &amp; said"));
    }
    od_buf_done(&to);
}
END_TEST

/* Cut at any byte, with any byte changed: refused or harmless. */
START_TEST(damaged_drawings)
{
    static const struct od_figure figure = {.name = "x", .title = "t", .alt = "a", .height = 300};
    static const char whole[] =
        WRAP("<g fill='black'><text>a &amp; b</text><path stroke='red' d='M1,2 L3,4 z'/></g>");
    char text[sizeof whole];
    for (size_t i = 0; i + 1 < sizeof whole; i++) {
        for (unsigned c = 0; c < 256; c += (unsigned)(i % 7) + 1) {
            struct od_buf to = {0};
            memcpy(text, whole, sizeof whole);
            text[i] = (char)c;
            if (od_figure_svg(&figure, (struct od_view){text, c % 2 ? i + 1 : sizeof whole - 1},
                              &to))
                for (const char *p = od_buf_str(&to); (p = strchr(p, '<')); p++)
                    ck_assert_msg(strchr("sptd/rcel", p[1]) != NULL, "%s", od_buf_str(&to));
            od_buf_done(&to);
        }
    }
}
END_TEST

Suite *od_figures_suite(void)
{
    Suite *suite = suite_create("figures");
    TCase *tcase = tcase_create("figures");
    tcase_add_test(tcase, figures_close);
    tcase_add_test(tcase, many_chunks_are_merged);
    tcase_add_loop_test(tcase, no_stranger_speaks, 0, OD_FIXTURES);
    tcase_add_test(tcase, timelines_are_drawn);
    tcase_add_test(tcase, batch_meets_its_marks);
    tcase_add_loop_test(tcase, only_shapes_and_words_pass, 0, (int)OD_COUNT_OF(drawings));
    tcase_add_test(tcase, damaged_drawings);
    suite_add_tcase(suite, tcase);
    return suite;
}
