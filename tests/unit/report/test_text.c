#include "base/num.h"
#include "base/text.h"
#include "case/case.h"
#include "redact/redact.h"
#include "report/doc.h"
#include "report/outline.h"
#include "report/page.h"
#include "report/report.h"
#include "report/words.h"
#include "tests/unit/report/fixture.h"
#include "tests/unit/report/suites.h"
#include "tests/unit/suite.h"

#include <math.h>
#include <string.h>

static const unsigned widths[] = {24, 40, 80, 120};

enum { RENDERS = (int)OD_COUNT_OF(widths) * 8 };

/* Every width with and without colour, Unicode, verbosity. */
static struct od_report_options options_of(int i)
{
    return (struct od_report_options){.columns = widths[i / 8],
                                      .color = (i & 1) != 0,
                                      .unicode = (i & 2) != 0,
                                      .verbose = (i & 4) != 0};
}

/* Terminal columns, CJK and emoji as two, colour codes as none. */
static size_t columns_of(struct od_view line)
{
    size_t columns = 0;
    while (line.n > 0) {
        uint32_t code;
        if (line.p[0] == '\x1b') {
            size_t end = od_view_find_char(line, 'm', 0);
            ck_assert_uint_ne(end, OD_VIEW_NONE);
            line = od_view_from(line, end + 1);
            continue;
        }
        line = od_view_from(line, od_text_decode(line, &code));
        columns += (code >= 0x2E80 && code < 0xA000) || code >= 0x1F300 ? 2 : 1;
    }
    return columns;
}

static void check_line(struct od_view line, const struct od_report_options *options)
{
    ck_assert_msg(columns_of(line) <= options->columns, "wider than %u: %.*s", options->columns,
                  (int)line.n, line.p);
    ck_assert_msg(line.n == 0 || line.p[line.n - 1] != ' ', "blank at the end: %.*s", (int)line.n,
                  line.p);
    for (size_t i = 0; i < line.n; i++) {
        unsigned char c = (unsigned char)line.p[i];
        ck_assert_msg(options->unicode || c < 0x80, "not ASCII: %.*s", (int)line.n, line.p);
        ck_assert_msg(c >= 0x20 || (c == 0x1b && options->color), "control: %02x", c);
        ck_assert_msg(c != 0x1b || i + 1 < line.n, "ESC at the end");
    }
}

START_TEST(text_keeps_within_its_page)
{
    struct od_report_options options = options_of(_i);
    for (unsigned kind = 0; kind < OD_FIXTURES; kind++) {
        struct od_buf buf = od_fixture_render((enum od_fixture_kind)kind, "text", &options);
        struct od_view rest = od_buf_view(&buf);
        struct od_view line;
        ck_assert_uint_gt(rest.n, 0);
        while (od_view_cut(&rest, '\n', &line))
            check_line(line, &options);
        od_buf_done(&buf);
    }
}
END_TEST

static size_t count_lines(const struct od_buf *buf)
{
    size_t lines = 0;
    for (size_t i = 0; i < buf->n; i++)
        lines += buf->p[i] == '\n';
    return lines;
}

START_TEST(text_fits_one_screen)
{
    struct od_report_options options = {.unicode = true};
    struct od_buf buf = od_fixture_render((enum od_fixture_kind)_i, "text", &options);
    ck_assert_msg(count_lines(&buf) <= (_i == OD_FIX_SOURCES || _i == OD_FIX_HOSTILE ? 60 : 45),
                  "%zu lines", count_lines(&buf));
    od_buf_done(&buf);
}
END_TEST

static const struct {
    enum od_fixture_kind kind;
    const char *first; /* how the report begins */
} answers[] = {
    {OD_FIX_FRAGMENTED, "GPU 1 ran out of memory: TensorFlow asked for 1.37 GiB, "},
    {OD_FIX_EXHAUSTED,
     "The device ran out of memory: the program asked for 67 B, nothing was free."},
    {OD_FIX_UNKNOWN, "The run was killed. The log does not show by whom."},
    {OD_FIX_SURVIVED, "No failure: 10 warnings reported a lack of memory: TensorFlow asked for "},
    {OD_FIX_OTHER, "The run failed, but not because of memory."},
    {OD_FIX_EMPTY, "The input is empty."},
};

START_TEST(first_line_answers)
{
    struct od_report_options options = {.unicode = true, .columns = 200};
    struct od_buf buf = od_fixture_render(answers[_i].kind, "text", &options);
    ck_assert_msg(strncmp(od_buf_str(&buf), answers[_i].first, strlen(answers[_i].first)) == 0,
                  "%s", od_buf_str(&buf));
    od_buf_done(&buf);
}
END_TEST

static const struct od_table *first_table(const struct od_doc *doc)
{
    for (const struct od_section *section = doc->first; section; section = section->next) {
        for (const struct od_node *node = section->first; node; node = node->next) {
            if (node->kind == OD_NODE_TABLE)
                return node->table;
        }
    }
    return NULL;
}

static uint64_t digits_of(struct od_view text)
{
    uint64_t value = 0;
    if (text.n > 0 && text.p[0] == '<') /* less than a hundredth */
        return 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] >= '0' && text.p[i] <= '9')
            value = value * 10 + (uint64_t)(text.p[i] - '0');
    }
    return value;
}

/* The rows of the memory table sum to its total, as shown and in exact bytes. */
static const enum od_fixture_kind closing[] = {OD_FIX_FRAGMENTED, OD_FIX_EXHAUSTED, OD_FIX_CUT,
                                               OD_FIX_SOURCES};

START_TEST(numbers_close)
{
    struct od_report_options options = {.verbose = true};
    struct od_fixture *f = od_fixture_new(closing[_i]);
    struct od_doc *doc = od_outline(&f->report, &options);
    const struct od_table *table = first_table(doc);
    uint64_t shown = 0;
    uint64_t exact = 0;
    ck_assert_ptr_nonnull(table);
    for (const struct od_row *row = table->first; row; row = row->next) {
        if (row->total) {
            ck_assert_uint_eq(shown, digits_of(row->cells[1].text));
            ck_assert_uint_eq(exact, digits_of(row->cells[3].text));
            ck_assert_uint_eq(exact, f->c.allocators.items[0]->limit.n);
        }
        shown += digits_of(row->cells[1].text);
        exact += digits_of(row->cells[3].text);
    }
    ck_assert(table->last->total);
    od_doc_free(doc);
    od_fixture_free(f);
}
END_TEST

static const struct od_bar *first_bar(const struct od_doc *doc)
{
    for (const struct od_section *section = doc->first; section; section = section->next)
        if (section->first && section->first->kind == OD_NODE_BAR)
            return section->first->bar;
    return NULL;
}

static double length_of(const struct od_bar *bar, const char *label)
{
    double length = 0;
    for (const struct od_bar_part *part = bar->first; part; part = part->next)
        if (od_view_eq_str(part->label, label))
            length += part->length;
    return length;
}

/* The runs fill the bar; what is not reserved, and the request, are to scale. */
START_TEST(addresses_are_to_scale)
{
    static const double cell = 1.0 / 76;
    struct od_report_options options = {.verbose = false};
    struct od_fixture *f = od_fixture_new(OD_FIX_FRAGMENTED);
    const struct od_allocator *a = f->c.allocators.items[0];
    struct od_doc *doc = od_outline(&f->report, &options);
    const struct od_bar *bar = first_bar(doc);
    ck_assert_ptr_nonnull(bar);
    double limit = (double)a->limit.n, used = length_of(bar, "in use"), all = 0;
    for (const struct od_bar_part *part = bar->first; part; part = part->next)
        all += part->length;
    ck_assert_double_eq_tol(all, 1, 1e-9);
    ck_assert_double_le(used, (double)a->in_use_bytes / limit);
    ck_assert_double_eq_tol(length_of(bar, "not reserved"), 1 - (double)a->pool.n / limit, cell);
    ck_assert_double_eq_tol(bar->request.length, (double)a->need.n / limit, 1e-9);
    od_doc_free(doc);
    od_fixture_free(f);
}
END_TEST

/* What is foreseen is never sure, and what rounds to nothing is not nothing. */
START_TEST(words_of_numbers)
{
    struct od_arena *arena = od_arena_new();
    ck_assert_str_eq(od_words_chance(arena, 1.0), ">99 %");
    ck_assert_str_eq(od_words_chance(arena, 0.99), "99 %");
    ck_assert_str_eq(od_words_chance(arena, 0.425), "43 %");
    ck_assert_str_eq(od_words_chance(arena, 0), "<1 %");
    ck_assert_str_eq(od_words_size_in(arena, 0, 3), "0.00");
    ck_assert_str_eq(od_words_size_in(arena, 1024, 3), "<0.01");
    ck_assert_str_eq(od_words_size_in(arena, 3 << 29, 3), "1.50");
    od_arena_free(arena);
}
END_TEST

START_TEST(a_command_goes_on)
{
    struct od_report_options options = {.columns = 24};
    struct od_doc *doc = od_doc_new();
    struct od_buf text = {0};
    od_doc_code(od_doc_section(doc, NULL), "sacct -j JOBID --format=JobID,MaxRSS,State\n"
                                           "        batch_size=24,\n"
                                           "\n"
                                           "next");
    od_text_render(doc, &options, &text);
    ck_assert_str_eq(od_buf_str(&text), "      sacct -j JOBID\n"
                                        "        --format=JobID,M\n"
                                        "        axRSS,State\n"
                                        "      batch_size=24,\n"
                                        "\n"
                                        "      next\n");
    od_buf_done(&text);
    od_doc_free(doc);
}
END_TEST

START_TEST(a_path_states_no_number)
{
    struct od_doc *doc = od_doc_new();
    struct od_text *text = od_doc_text(od_doc_section(doc, NULL));
    od_say(text, "See /runs/7/job.log.");
    ck_assert(!od_doc_states(doc, OD_VIEW("7"), (struct od_view){0}));
    od_say(text, " It has 7 GB.");
    ck_assert(od_doc_states(doc, OD_VIEW("7"), (struct od_view){0}));
    od_doc_free(doc);
}
END_TEST

START_TEST(a_long_path_breaks_behind_a_slash)
{
    struct od_page page = {.columns = 20};
    struct od_glyphs glyphs = {0};
    struct od_wrap wrap = {0};
    od_glyphs_add(&page, &glyphs, OD_PLAIN, OD_VIEW("/runs/monday/long_name_of_a_log:117"));
    ck_assert(od_glyphs_wrap(&glyphs, page.columns, &wrap));
    ck_assert_uint_eq(wrap.end, strlen("/runs/monday/"));
    od_vec_done(&glyphs);
}
END_TEST

#define LONG_LINE                                                                                \
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB while the key of the service " \
    "was "
/* more than is kept of a line after a cut, and what the report says after it */
#define FAR "and sixty bytes of the line, as many as a quote ends with (line 3)"

static const struct {
    const char *text, *left;
} cut[] = {
    {LONG_LINE "eyJhbGciOiJIUzI1NiIs.eyJwYXls\xe2\x80\xa6", LONG_LINE "\xe2\x80\xa6"},
    {LONG_LINE "eyJhbGci\xe2\x80\xa6wYXls " FAR, LONG_LINE "\xe2\x80\xa6 (line 3)"},
    {LONG_LINE "eyJhbGciOiJIUzI1NiIs...", LONG_LINE "..."},
    /* the words before a value, "Authorization: Token", may be cut */
    {LONG_LINE "whole \xe2\x80\xa6 0b61d7f6576a9f769301a25e", LONG_LINE "whole \xe2\x80\xa6"},
    {LONG_LINE "whole", LONG_LINE "whole"},
    {"Loading weights...", "Loading weights..."},
};

/* As what is shared of a report: by itself, and as a cell beside another. */
static void share(struct od_view text, struct od_buf *to, struct od_buf *cell)
{
    struct od_redactor *redactor = od_words_redactor();
    struct od_buf cells[2] = {{0}, {0}};
    od_redact(redactor, text, to);
    od_redact_parts(redactor, (struct od_view[]){OD_VIEW("line"), text}, 2, OD_VIEW("\t"), cells);
    od_buf_add(cell, od_buf_view(&cells[1]));
    od_buf_done(&cells[0]);
    od_buf_done(&cells[1]);
    od_redactor_free(redactor);
}

START_TEST(words_beside_a_cut_are_left_out)
{
    struct od_buf to = {0}, cell = {0};
    share(od_view_of(cut[_i].text), &to, &cell);
    ck_assert_str_eq(od_buf_str(&to), cut[_i].left);
    ck_assert_str_eq(od_buf_str(&cell), cut[_i].left);
    od_buf_done(&to);
    od_buf_done(&cell);
}
END_TEST

Suite *od_text_suite(void)
{
    Suite *suite = suite_create("text");
    TCase *tcase = tcase_create("text");
    tcase_add_loop_test(tcase, text_keeps_within_its_page, 0, RENDERS);
    tcase_add_loop_test(tcase, text_fits_one_screen, 0, OD_FIXTURES);
    tcase_add_loop_test(tcase, first_line_answers, 0, OD_COUNT_OF(answers));
    tcase_add_loop_test(tcase, numbers_close, 0, OD_COUNT_OF(closing));
    tcase_add_loop_test(tcase, words_beside_a_cut_are_left_out, 0, OD_COUNT_OF(cut));
    tcase_add_test(tcase, addresses_are_to_scale);
    tcase_add_test(tcase, words_of_numbers);
    tcase_add_test(tcase, a_command_goes_on);
    tcase_add_test(tcase, a_path_states_no_number);
    tcase_add_test(tcase, a_long_path_breaks_behind_a_slash);
    suite_add_tcase(suite, tcase);
    return suite;
}
