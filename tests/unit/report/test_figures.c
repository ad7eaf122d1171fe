/* Figures as tables: what they show sums to what was read, and no stranger's word is in them. */
#include "report/figure.h"

#include "base/mem.h"
#include "base/num.h"
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

Suite *od_figures_suite(void)
{
    Suite *suite = suite_create("figures");
    TCase *tcase = tcase_create("figures");
    tcase_add_test(tcase, figures_close);
    tcase_add_test(tcase, many_chunks_are_merged);
    tcase_add_loop_test(tcase, no_stranger_speaks, 0, OD_FIXTURES);
    tcase_add_test(tcase, timelines_are_drawn);
    tcase_add_test(tcase, batch_meets_its_marks);
    suite_add_tcase(suite, tcase);
    return suite;
}
