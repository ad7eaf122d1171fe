/* Sources that are given whole: no lines, one block. */
#include "base/mem.h"
#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Takes what begins with "WHOLE". */
static const char *word(void *self, struct od_view head)
{
    (void)self;
    return od_view_starts(head, OD_VIEW("WHOLE")) ? "test file" : NULL;
}

static struct reading start(const struct od_input_limits *limits)
{
    struct reading r;
    reading_new(&r, limits, 64);
    od_input_set_taker(r.input, (struct od_whole_taker){.word = word});
    return r;
}

START_TEST(it_is_one_block_between_lines)
{
    struct reading r = start(NULL);
    struct od_block block;
    char bytes[5000] = "WHOLE\n\n";
    ck_assert_int_eq(od_input_add_bytes(r.input, "a", OD_VIEW("one\ntwo\n")), OD_OK);
    ck_assert_int_eq(od_input_add_bytes(r.input, "b", (struct od_view){bytes, sizeof bytes}),
                     OD_OK);
    ck_assert_int_eq(od_input_add_bytes(r.input, "c", OD_VIEW("three\n")), OD_OK);
    ck_assert(od_input_next(r.input, &block));
    ck_assert_ptr_null(block.whole);
    ck_assert(od_input_next(r.input, &block));
    ck_assert_str_eq(block.whole, "test file");
    ck_assert_uint_eq(block.source, 1);
    ck_assert_uint_eq(block.bytes.n, sizeof bytes);
    ck_assert_int_eq(memcmp(block.bytes.p, bytes, sizeof bytes), 0);
    reading_run(&r);
    ck_assert_str_eq(od_buf_str(&r.text), "three\n");
    const struct od_source *source = od_input_source(r.input, 1);
    ck_assert_str_eq(source->format, "test file");
    ck_assert_uint_eq(source->bytes, sizeof bytes);
    ck_assert_uint_eq(source->lines, 0);
    ck_assert_uint_eq(source->unreadable_lines, 0);
    ck_assert(source->complete);
    ck_assert_uint_eq(strlen(source->digest), 37);
    ck_assert_str_eq(od_input_source(r.input, 2)->format, "text");
    ck_assert_int_eq(od_input_status(r.input), OD_OK);
    reading_done(&r);
}
END_TEST

START_TEST(its_limit_is_said)
{
    const struct od_input_limits limits = {.whole_bytes = 100};
    struct reading r = start(&limits);
    struct od_block block;
    char bytes[101] = "WHOLE";
    size_t n = _i == 0 ? 100 : 101;
    ck_assert_int_eq(od_input_add_bytes(r.input, "a", (struct od_view){bytes, n}), OD_OK);
    ck_assert(od_input_next(r.input, &block));
    ck_assert_uint_eq(block.bytes.n, 100);
    ck_assert(!od_input_next(r.input, &block));
    ck_assert_int_eq(od_input_status(r.input), _i == 0 ? OD_OK : OD_ELIMIT);
    ck_assert_int_eq(od_input_source(r.input, 0)->complete, _i == 0);
    ck_assert_int_eq(reading_said(&r, "larger than 100 bytes"), _i == 1);
    reading_done(&r);
}
END_TEST

START_TEST(what_its_taker_makes_of_it_counts)
{
    struct reading r = start(NULL);
    struct od_block block;
    ck_assert_int_eq(od_input_add_bytes(r.input, "a", OD_VIEW("WHOLE")), OD_OK);
    ck_assert_int_eq(od_input_add_bytes(r.input, "b", OD_VIEW("WHOLE")), OD_OK);
    ck_assert(od_input_next(r.input, &block));
    size_t used = block.bytes.n;
    ck_assert(!od_input_taken(r.input, OD_LOST, &used));
    ck_assert(od_input_next(r.input, &block));
    ck_assert(!od_input_next(r.input, &block));
    ck_assert(!od_input_source(r.input, 0)->complete);
    ck_assert(od_input_source(r.input, 1)->complete);
    ck_assert_int_eq(od_input_status(r.input), OD_LOST);
    reading_done(&r);
}
END_TEST

struct back_row {
    const char *bytes;
    size_t used;
    enum od_err err;
    const char *text;
    const char *places; /* places of its first line */
    size_t from;
    bool complete;
};

static const struct back_row back_rows[] = {
    {"WHOLE is a word here\nand a line\n", 0, OD_LOST, "WHOLE is a word here\nand a line\n",
     "0:1+1@0\n", 0, true},
    {"WHOLE\nfile\nand a log\n", 11, OD_OK, "and a log\n", "0:3+1@11\n", 11, true},
    {"WHOLE\1\2\3\4\1\2\3\4\1\2\3\4 x\nand a log\n", 9, OD_LOST, "and a log\n", "0:2+1@20\n", 20,
     false},
    {"WHOLE\1\2\3\4\1\2\3\4\1\2\3\4 x\n", 9, OD_LOST, "", "", 9, false},
};

START_TEST(what_it_did_not_use_is_a_log)
{
    const struct back_row *row = &back_rows[_i];
    struct reading r = start(NULL);
    struct od_block block;
    size_t used = row->used;
    ck_assert_int_eq(od_input_add_bytes(r.input, "a", od_view_of(row->bytes)), OD_OK);
    ck_assert(od_input_next(r.input, &block));
    ck_assert_int_eq(od_input_taken(r.input, row->err, &used), *row->text != '\0');
    reading_run(&r);
    ck_assert_str_eq(od_buf_str(&r.text), row->text);
    ck_assert(od_view_starts(od_buf_view(&r.places), od_view_of(row->places)));
    ck_assert_uint_eq(used, row->from);
    ck_assert_int_eq(od_input_source(r.input, 0)->complete, row->complete);
    ck_assert_uint_eq(od_input_source(r.input, 0)->bytes, strlen(row->bytes));
    reading_done(&r);
}
END_TEST

START_TEST(packed_ones_and_pipes_too)
{
    /* "WHOLE", packed by gzip -n */
    static const char gzip[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x0b\xf7\xf0\xf7\x71\x05"
                               "\x00\xff\xeb\x0d\x33\x05\x00\x00\x00";
    struct reading r = start(NULL);
    struct od_block block;
    char name[32];
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "WHOLE", 5), 5);
    (void)close(ends[1]);
    (void)snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    ck_assert_int_eq(od_input_add(r.input, name), OD_OK);
    ck_assert_int_eq(od_input_add_bytes(r.input, "a", (struct od_view){gzip, sizeof gzip - 1}),
                     OD_OK);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(od_input_next(r.input, &block));
        ck_assert_ptr_nonnull(block.whole);
        ck_assert_uint_eq(block.bytes.n, 5);
    }
    ck_assert(!od_input_next(r.input, &block));
    ck_assert_str_eq(od_input_source(r.input, 0)->format, "test file");
    ck_assert_str_eq(od_input_source(r.input, 1)->format, "gzip test file");
    (void)close(ends[0]);
    reading_done(&r);
}
END_TEST

Suite *od_whole_suite(void)
{
    Suite *suite = od_suite_loop("whole: limit", its_limit_is_said, 2);
    TCase *tcase = tcase_create("whole");
    tcase_add_test(tcase, it_is_one_block_between_lines);
    tcase_add_test(tcase, what_its_taker_makes_of_it_counts);
    tcase_add_loop_test(tcase, what_it_did_not_use_is_a_log, 0, (int)OD_COUNT_OF(back_rows));
    tcase_add_test(tcase, packed_ones_and_pipes_too);
    suite_add_tcase(suite, tcase);
    return suite;
}
