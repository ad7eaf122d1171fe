#include "base/num.h"
#include "input/flow.h"
#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"

#include <string.h>

/* A run's output of many lines, each its own length; some are exactly as wide as the console. */
static void print_log(struct od_buf *to, unsigned n)
{
    static const char *const words[] = {"allocator", "workspace",  "gradients", "batch_norm",
                                        "embedding", "checkpoint", "attention", "optimizer"};
    for (unsigned i = 0; i < n; i++) {
        od_buf_printf(to, "2023-05-17 08:%02u:%02u.%06u: I tensorflow/core/some_file.cc:%u] ",
                      i / 60 % 60, i % 60, i * 7919 % 1000000, 100 + i % 7);
        for (unsigned w = 0; w <= i * 5 % 13; w++)
            od_buf_printf(to, "%s=%u ", words[(i * 3 + w) % 8], i * 31 + w);
        od_buf_add_str(to, "done\n");
        if (i % 9 == 4)
            od_buf_add_str(to, "Limit:  123456789\nInUse:   12345678\n\n");
    }
}

static void wrap_at(struct od_view text, size_t width, const char *end, struct od_buf *to)
{
    struct od_view line;
    while (od_view_cut(&text, '\n', &line)) {
        do {
            od_buf_add(to, od_view_head(line, width));
            od_buf_add_str(to, end);
            line = od_view_from(line, width);
        } while (line.n > 0);
    }
}

/* Long texts: the first line that differs is enough. */
static void assert_same(const struct od_buf *got, const struct od_buf *want)
{
    struct od_view a = od_buf_view(got);
    struct od_view b = od_buf_view(want);
    struct od_view x, y;
    while (od_view_cut(&a, '\n', &x) && od_view_cut(&b, '\n', &y))
        if (!od_view_eq(x, y))
            ck_abort_msg("got  %.*s\nwant %.*s", (int)x.n, x.p, (int)y.n, y.p);
    ck_assert_uint_eq(got->n, want->n);
}

struct row {
    size_t width;
    const char *end;
    size_t block;
    unsigned lines;
};

static const struct row rows[] = {
    {80, "\n", 0, 40},     {80, "\r\n", 0, 40},    {120, "\n", 0, 60},      {93, "\n", 0, 60},
    {80, "\n", 3000, 200}, {118, "\n", 4096, 200}, {80, "\r\n", 2500, 200},
};

START_TEST(wrapped_lines_are_joined)
{
    const struct row *row = &rows[_i];
    struct od_buf log = {0};
    struct od_buf wrapped = {0};
    struct reading r;
    print_log(&log, row->lines);
    wrap_at(od_buf_view(&log), row->width, row->end, &wrapped);
    reading_of(&r, od_buf_view(&wrapped), row->block);
    assert_same(&r.text, &log);
    ck_assert(reading_said(&r, "wrapped line"));

    /* Each line says where it began and how many physical ones it spans. */
    struct od_view places = od_buf_view(&r.places);
    struct od_view place;
    uint64_t next = 1;
    while (od_view_cut(&places, '\n', &place)) {
        uint64_t line, n, offset;
        place = od_view_from(place, 2);
        ck_assert(od_num_take_u64(&place, &line) && od_view_take(&place, OD_VIEW("+")));
        ck_assert(od_num_take_u64(&place, &n) && od_view_take(&place, OD_VIEW("@")));
        ck_assert(od_num_take_u64(&place, &offset));
        ck_assert_uint_eq(line, next);
        next += n;
        ck_assert(offset == 0 || wrapped.p[offset - 1] == '\n');
    }
    ck_assert_uint_eq(next - 1, od_input_source(r.input, 0)->lines);
    reading_done(&r);
    od_buf_done(&log);
    od_buf_done(&wrapped);
}
END_TEST

START_TEST(only_the_wrapped_part_is_joined)
{
    struct od_buf log = {0};
    struct od_buf mixed = {0};
    struct od_buf expected = {0};
    struct reading r;
    print_log(&log, 40);
    od_buf_add_repeat(&mixed,
                      "a line of prose that is much longer than any console is wide, and "
                      "stays as it is because nobody cut it\n",
                      3);
    od_buf_add(&expected, od_buf_view(&mixed));
    wrap_at(od_buf_view(&log), 80, "\n", &mixed);
    od_buf_add(&expected, od_buf_view(&log));
    od_buf_add(&mixed, od_buf_view(&log));
    od_buf_add(&expected, od_buf_view(&log));
    reading_of(&r, od_buf_view(&mixed), 0);
    assert_same(&r.text, &expected);
    reading_done(&r);
    od_buf_done(&log);
    od_buf_done(&mixed);
    od_buf_done(&expected);
}
END_TEST

/* Things that look regular and are not wrapped. */
static void near_miss(struct od_buf *to, int kind)
{
    static const char *const base64 =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/ABCDEFGHIJKL";
    for (unsigned i = 0; i < 60; i++) {
        switch (kind) {
        case 0: /* a log as it was printed */
            print_log(to, 1 + i % 3);
            break;
        case 1: /* chunk rows of one length */
            od_buf_printf(to,
                          "2023-05-17 08:00:00.%06u: I tensorflow/core/common_runtime/"
                          "bfc_allocator.cc:1060] InUse at 7f%010x of size %7u next %u\n",
                          100000 + i, i * 4096, 1000000 + i * 256, 100 + i);
            break;
        case 2: /* base64 */
            od_buf_printf(to, "%.76s\n", base64 + 0);
            if (i % 12 == 11)
                od_buf_add_str(to, "QUJDRA==\n\n");
            break;
        case 3: /* a table */
            od_buf_printf(to, "| %3u | conv2d_%-20u | (None, %4u, %4u, 64) | %12u |\n", i, i, i, i,
                          i * 36928);
            if (i % 8 == 0)
                od_buf_add_str(to, "+-----+\n");
            break;
        case 4: /* lines of one length with a time, each followed by a line without one */
            od_buf_printf(to, "2023-05-17 08:00:%02u INFO memory of the device at step %05u is:\n",
                          i, i);
            od_buf_printf(to, "allocated %u MiB\n", i * 3);
            break;
        case 5: /* prose, wrapped between words */
            od_buf_add_str(to, "the quick brown fox jumps over the lazy dog and the quick brown "
                               "fox jumps\nover the lazy dog again\n");
            break;
        case 6: /* check sums */
            od_buf_printf(to, "%016x%016x%08x  model-%05u-of-00060.safetensors\n", i * 2654435761U,
                          i * 40503U, i * 97U, i);
            if (i % 10 == 9)
                od_buf_add_str(to, "config.json\n");
            break;
        case 7: /* lines of one length with a time; two of three are followed by a line without one
                 */
            od_buf_printf(to,
                          "2023-05-17 08:00:%02u INFO loaded shard of the training set %c%c%c%c\n",
                          i, 'a' + i % 26, 'b' + i % 25, 'c' + i % 24, 'd' + i % 23);
            if (i % 3 != 0)
                od_buf_printf(to, "took %u ms\n", i * 3);
            break;
        default: /* a line of asterisks and short rows */
            od_buf_add_repeat(to, "*", 100);
            od_buf_printf(to, "\nused %u\n", i);
            break;
        }
    }
}

START_TEST(near_misses_stay)
{
    struct od_buf text = {0};
    struct reading r;
    near_miss(&text, _i);
    reading_of(&r, od_buf_view(&text), 0);
    assert_same(&r.text, &text);
    ck_assert_uint_eq(od_diags_count(r.diags), 0);
    reading_done(&r);
    od_buf_done(&text);
}
END_TEST

/* Texts, and the same with their sentences joined, without blank lines. */
static const struct {
    const char *text, *joined;
} flows[] = {
    {"a\n| The buffer has reached its limit and |\r\n| so 512 MB were refused.              "
     "|\r\nb\n",
     "a\n| The buffer has reached its limit and so 512 MB were refused.\nb\n"},
    /* three lines in a drawn frame */
    {"\xe2\x94\x82 no room for all \xe2\x94\x82\n\xe2\x94\x82 of the buckets  \xe2\x94\x82\n"
     "\xe2\x94\x82 were left       \xe2\x94\x82\n",
     "\xe2\x94\x82 no room for all of the buckets were left\n"},
    {"error: the number of the cells that are kept is larger than the memory\n  allows for, 4096 "
     "MB.\n",
     "error: the number of the cells that are kept is larger than the memory allows for, 4096 "
     "MB.\n"},
    /* between lines of dashes, where the next word had no room */
    {"---------------------------------------------\n  the node cache limit of 512 MB was reached\n"
     "  while the tiles were read\n---------------------------------------------\n",
     "---------------------------------------------\n  the node cache limit of 512 MB was reached "
     "while the tiles were read\n---------------------------------------------\n"},
    {"---------------------------------------------\n  dense (Dense)              (None, 4, "
     "20000)\n"
     "  flatten (Flatten)          (None, 80000)\n",
     NULL},
    /* a table, a sentence that ends, a word that has room, an error with its frames, and with code
     */
    {"| name | 4096 |\n| last | 8192 |\n", NULL},
    {"| The buffer has reached its limit. |\n| Give it more with --buffer and N. |\n", NULL},
    {"| The buffer has reached      |\n| its limit and will not grow |\n", NULL},
    {"    a text that is indented as a whole, and of which each line is a sentence of its\n    "
     "own, as "
     "here\n",
     NULL},
    {"FATAL ERROR: Reached heap limit Allocation failed - the heap is out of memory\n 1: 0xb83f50 "
     "node::Abort()\n",
     NULL},
    {"src/grid.cc:118:21: error: the name of that variable was not declared in scope\n  118 |  for "
     "(int i = 0; i < n; i++)\n",
     NULL},
};

/* Lines and offsets stay. */
START_TEST(sentences_are_joined)
{
    struct od_buf text = {0}, told = {0};
    const char *wanted = flows[_i].joined ? flows[_i].joined : flows[_i].text;
    od_buf_add_str(&text, flows[_i].text);
    size_t n = text.n, lines = od_view_count(od_buf_view(&text), '\n');
    uint64_t joined = od_flow_join(text.p, text.n);
    struct od_view rest = od_buf_view(&text), line;
    ck_assert_uint_eq(rest.n, n);
    ck_assert_uint_eq(od_view_count(rest, '\n'), lines);
    while (od_view_cut(&rest, '\n', &line))
        if (od_view_trim(line).n > 0)
            od_buf_printf(&told, "%.*s\n", (int)line.n, line.p);
    ck_assert_str_eq(od_buf_str(&told), wanted);
    ck_assert_int_eq(joined > 0, flows[_i].joined != NULL);
    od_buf_done(&told);
    od_buf_done(&text);
}
END_TEST

Suite *od_wrap_suite(void)
{
    Suite *suite = suite_create("wrap");
    TCase *tcase = tcase_create("wrap");
    tcase_add_loop_test(tcase, wrapped_lines_are_joined, 0, (int)OD_COUNT_OF(rows));
    tcase_add_test(tcase, only_the_wrapped_part_is_joined);
    tcase_add_loop_test(tcase, near_misses_stay, 0, 9);
    tcase_add_loop_test(tcase, sentences_are_joined, 0, (int)OD_COUNT_OF(flows));
    suite_add_tcase(suite, tcase);
    return suite;
}
