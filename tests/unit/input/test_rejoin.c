#include "base/num.h"
#include "input/unwrap.h"
#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"

/* A run's output; some lines are long, each has its own length. */
static void print_log(struct od_buf *to, unsigned n)
{
    static const char *const words[] = {"allocator", "workspace",  "gradients", "batch_norm",
                                        "embedding", "checkpoint", "attention", "optimizer"};
    for (unsigned i = 0; i < n; i++) {
        od_buf_printf(to, "I tensorflow/core/some_file.cc:%u] ", 100 + i % 7);
        for (unsigned w = 0; w <= i * 5 % 13; w++)
            od_buf_printf(to, "%s=%u ", words[(i * 3 + w) % 8], i * 31 + w);
        od_buf_add_str(to, "done\n");
    }
}

enum wrapper { JOURNALD, NUMBER, RANK, CI, DOCKER, BAR, COLOUR, TWO, WRAPPERS };

static void put(struct od_buf *to, enum wrapper wrapper, struct od_view piece, unsigned n)
{
    int len = (int)piece.n;
    switch (wrapper) {
    case JOURNALD:
        od_buf_printf(to, "Apr 06 07:%02u:%02u node12 train.sh[4321]: %.*s\n", n / 60 % 60, n % 60,
                      len, piece.p);
        break;
    case NUMBER:
        od_buf_printf(to, "0: %.*s\n", len, piece.p);
        break;
    case RANK:
        od_buf_printf(to, "[rank3]: %.*s\n", len, piece.p);
        break;
    case CI:
        od_buf_printf(to, "2025-04-06T07:08:%02u.%07uZ %.*s\n", n % 60, n * 10007 % 10000000, len,
                      piece.p);
        break;
    case DOCKER:
        od_buf_printf(to,
                      "{\"log\":\"%.*s\\n\",\"stream\":\"stderr\","
                      "\"time\":\"2025-04-06T07:08:%02u.1234567%uZ\"}\n",
                      len, piece.p, n % 60, n % 90 + 10);
        break;
    case BAR:
        od_buf_printf(to, "\r%3u%%|    | %u/100\r%.*s\n", n % 100, n % 100, len, piece.p);
        break;
    case COLOUR:
        od_buf_printf(to, "\x1b[%um%.*s\x1b[0m\n", 31 + n % 7, len, piece.p);
        break;
    case TWO:
        od_buf_printf(to, "2025-04-06T07:08:%02u.123456789Z stderr F [rank3]: %.*s\n", n % 60, len,
                      piece.p);
        break;
    case WRAPPERS:
        break;
    }
}

/* Every line cut at the width, every piece with the wrapper around it. */
static void wrap_twice(struct od_view text, size_t width, enum wrapper wrapper, struct od_buf *to)
{
    struct od_view line;
    unsigned n = 0;
    while (od_view_cut(&text, '\n', &line)) {
        do {
            put(to, wrapper, od_view_head(line, width), n++);
            line = od_view_from(line, width);
        } while (line.n > 0);
    }
}

/* What comes out of the whole input, progress bars aside. */
static void read_lines(struct od_view bytes, size_t block_bytes, struct od_buf *to)
{
    struct reading r;
    struct od_unwrap *unwrap = od_unwrap_new();
    struct od_block block;
    uint64_t line_before = 0;
    reading_new(&r, NULL, block_bytes);
    ck_assert_int_eq(od_input_add_bytes(r.input, "memory", bytes), OD_OK);
    while (od_input_next(r.input, &block)) {
        struct od_cursor cursor = od_cursor_start(&block);
        struct od_raw_line raw;
        struct od_line line;
        while (od_cursor_next(&cursor, &raw)) {
            ck_assert_uint_ge(raw.at.line, line_before);
            line_before = raw.at.line;
            od_unwrap_start(unwrap, &raw);
            while (od_unwrap_next(unwrap, &line)) {
                if (line.overprinted)
                    continue;
                od_buf_add(to, line.text);
                od_buf_add_char(to, '\n');
            }
        }
    }
    od_unwrap_free(unwrap);
    reading_done(&r);
}

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

static void try_wrapper(enum wrapper wrapper, size_t width, size_t block, unsigned lines)
{
    struct od_buf log = {0};
    struct od_buf wrapped = {0};
    struct od_buf got = {0};
    print_log(&log, lines);
    wrap_twice(od_buf_view(&log), width, wrapper, &wrapped);
    read_lines(od_buf_view(&wrapped), block, &got);
    assert_same(&got, &log);
    od_buf_done(&log);
    od_buf_done(&wrapped);
    od_buf_done(&got);
}

START_TEST(wraps_beneath_a_wrapper_are_joined)
{
    try_wrapper((enum wrapper)_i, 80, 0, 60);
    try_wrapper((enum wrapper)_i, 101, 0, 90);
}
END_TEST

/* A line that is cut by the end of a block waits for the next. */
START_TEST(blocks_end_between_lines)
{
    try_wrapper((enum wrapper)_i, 80, 16384, 600);
}
END_TEST

/* Wrapped by containers and schedulers, not by a console. */
START_TEST(whole_lines_stay)
{
    try_wrapper((enum wrapper)_i, 10000, 0, 60);
}
END_TEST

Suite *od_rejoin_suite(void)
{
    Suite *suite = suite_create("rejoin");
    TCase *tcase = tcase_create("rejoin");
    tcase_add_loop_test(tcase, wraps_beneath_a_wrapper_are_joined, 0, WRAPPERS);
    tcase_add_loop_test(tcase, blocks_end_between_lines, 0, WRAPPERS);
    tcase_add_loop_test(tcase, whole_lines_stay, 0, WRAPPERS);
    suite_add_tcase(suite, tcase);
    return suite;
}
