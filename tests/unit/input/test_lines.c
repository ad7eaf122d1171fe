#include "base/mem.h"
#include "base/num.h"
#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"

#include <string.h>

struct row {
    struct od_view bytes;
    const char *text;
    const char *places;
    const char *format;
    const char *digest; /* NULL = any */
};

#define BYTES(literal)               \
    {                                \
        literal, sizeof(literal) - 1 \
    }

static const struct row rows[] = {
    {BYTES(""), "", "", "empty", "xxh3:99aa06d3014798d86001c324468d497f"},
    {BYTES("a"), "a\n", "0:1+1@0\n", "text", NULL},
    {BYTES("a\n\nb\n"), "a\n\nb\n", "0:1+1@0\n0:2+1@2\n0:3+1@3\n", "text", NULL},
    {BYTES("a\r\nb\r\n"), "a\nb\n", "0:1+1@0\n0:2+1@3\n", "text", NULL},
    /* A CR of a progress bar is no line end; without any LF it is. */
    {BYTES("a\rb\nc\n"), "a\rb\nc\n", "0:1+1@0\n0:2+1@4\n", "text", NULL},
    {BYTES("a\rb\rc"), "a\nb\nc\n", "0:1+1@0\n0:2+1@2\n0:3+1@4\n", "text", NULL},
    {BYTES("\xef\xbb\xbf"
           "a\nb"),
     "a\nb\n", "0:1+1@3\n0:2+1@5\n", "text", NULL},
    {BYTES("\xff\xfe"
           "a\0\n\0b\0\r\0\n\0\x3d\xd8\x00\xde"),
     "a\nb\n\xf0\x9f\x98\x80\n", "0:1+1@2\n0:2+1@6\n0:3+1@12\n", "utf-16le", NULL},
    {BYTES("\xfe\xff\0a\0\n\x20\xac\xd8\x00\0x"), "a\n\xe2\x82\xac\xef\xbf\xbdx\n",
     "0:1+1@2\n0:2+1@6\n", "utf-16be", NULL},
    {BYTES("a\0b\0c\0\n\0d\0\n\0"), "abc\nd\n", "0:1+1@0\n0:2+1@8\n", "utf-16le", NULL},
    {BYTES("\0a\0b\0c\0\n\0d\0"), "abc\nd\xef\xbf\xbd\n", "0:1+1@0\n0:2+1@8\n", "utf-16be", NULL},
    {BYTES("\xff\xfe"), "", "", "empty", NULL},
    /* A log that two programs wrote. */
    {BYTES("\xff\xfe"
           "a\0\n\0"
           "Killed\n"
           "b\0c\0d\0e\0\n\0"),
     "a\nKilled\nbcde\n", "0:1+1@2\n0:2+1@6\n0:3+1@13\n", "text of several encodings", NULL},
    {BYTES("one\n\xfe\xff\0a\0b\0\n"), "one\nab\n", "0:1+1@0\n0:2+1@6\n",
     "text of several encodings", NULL},
    {BYTES("one\n\0a\0b\0c\0d\0\n"), "one\nabcd\n", "0:1+1@0\n0:2+1@4\n",
     "text of several encodings", NULL},
    {BYTES("a\0b c\0d\n\0\0\0\0e\n"), "a", "0:1+1@0\n0:2+1@8\n", "binary", NULL},
};

START_TEST(bytes_become_lines)
{
    const struct row *row = &rows[_i];
    struct reading r;
    reading_of(&r, row->bytes, 0);
    ck_assert_str_eq(od_buf_str(&r.text), row->text);
    ck_assert_str_eq(od_buf_str(&r.places), row->places);
    const struct od_source *source = od_input_source(r.input, 0);
    ck_assert_str_eq(source->format, row->format);
    ck_assert_uint_eq(source->bytes, row->bytes.n);
    ck_assert_uint_eq(source->lines, r.lines);
    ck_assert(source->complete);
    ck_assert_uint_eq(strlen(source->digest), 37);
    if (row->digest)
        ck_assert_str_eq(source->digest, row->digest);
    reading_done(&r);
}
END_TEST

/* Every block size gives the same lines: each byte of the text is once the end of a block. */
START_TEST(blocks_do_not_change_the_lines)
{
    static const char *const texts[] = {
        "first line of some length\r\nsecond\r\n\r\nthird one \xe2\x82\xac that is longer\r\n"
        "fourth\rwith a bar\r\nfifth and last",
        "one\rtwo is longer than one\r\rthree\rfour has no end",
    };
    for (size_t t = 0; t < OD_COUNT_OF(texts); t++) {
        struct reading whole;
        reading_of(&whole, od_view_of(texts[t]), 0);
        for (size_t block = 1; block < strlen(texts[t]) + 2; block++) {
            struct reading r;
            reading_of(&r, od_view_of(texts[t]), block);
            ck_assert_str_eq(od_buf_str(&r.text), od_buf_str(&whole.text));
            ck_assert_str_eq(od_buf_str(&r.places), od_buf_str(&whole.places));
            reading_done(&r);
        }
        reading_done(&whole);
    }
}
END_TEST

static void to_utf16(const char *ascii, bool big_endian, struct od_buf *to)
{
    od_buf_add(to, big_endian ? OD_VIEW("\xfe\xff") : OD_VIEW("\xff\xfe"));
    for (; *ascii; ascii++) {
        od_buf_add_char(to, big_endian ? '\0' : *ascii);
        od_buf_add_char(to, big_endian ? *ascii : '\0');
    }
}

START_TEST(utf16_is_cut_anywhere)
{
    const char *ascii = "GPU 0 has 23.69 GiB\r\nof which 12.4 MiB\r\nis free\r\n\r\nend";
    struct od_buf bytes = {0};
    to_utf16(ascii, _i == 1, &bytes);
    for (size_t n = 2; n <= bytes.n; n++) {
        struct reading r;
        reading_of(&r, od_view_head(od_buf_view(&bytes), n), 1 + n % 40);
        struct reading plain;
        reading_of(&plain, (struct od_view){ascii, (n - 2) / 2}, 0);
        if (n % 2 == 1) {
            ck_assert(od_view_starts(
                od_buf_view(&r.text),
                od_view_head(od_buf_view(&plain.text), plain.text.n > 2 ? plain.text.n - 2 : 0)));
        } else {
            ck_assert_str_eq(od_buf_str(&r.text), od_buf_str(&plain.text));
        }
        reading_done(&r);
        reading_done(&plain);
    }
    od_buf_done(&bytes);
}
END_TEST

START_TEST(a_line_of_100_mb_is_read_in_pieces)
{
    struct reading r;
    size_t n = 100U << 20;
    char *bytes = od_mem_alloc(n, 1);
    memset(bytes, 'x', n);
    memcpy(bytes, "head\n", 5);
    memcpy(bytes + n - 6, "\ntail\n", 6);
    reading_new(&r, NULL, 0);
    ck_assert_int_eq(od_input_add_bytes(r.input, "m", (struct od_view){bytes, n}), OD_OK);
    reading_run(&r);
    ck_assert_uint_eq(r.longest, 8U << 20);
    ck_assert_uint_ge(r.text.n, n);
    ck_assert(od_view_ends(od_buf_view(&r.places), OD_VIEW("0:3+1@104857595\n")));
    const struct od_source *source = od_input_source(r.input, 0);
    ck_assert(source->complete);
    ck_assert_uint_eq(source->lines, 3);
    ck_assert_uint_eq(source->unreadable_lines, 0);
    ck_assert_uint_eq(source->bytes, n);
    ck_assert_int_eq(od_input_status(r.input), OD_OK);
    ck_assert(reading_said(&r, "longer than 8388608 bytes, first line 2; read in pieces"));
    reading_done(&r);
    od_mem_free(bytes);
}
END_TEST

START_TEST(long_lines_are_cut_wherever_blocks_end)
{
    for (size_t block = 4; block < 80; block++) {
        struct reading r;
        reading_new(&r, &(struct od_input_limits){.line_bytes = 10}, block);
        ck_assert_int_eq(
            od_input_add_bytes(r.input, "m",
                               OD_VIEW("short\n0123456789abcdefghij\nten bytes.\n"
                                       "0123456789012345678901234\nend\nxxxxxxxxxxxyz")),
            OD_OK);
        reading_run(&r);
        ck_assert_str_eq(od_buf_str(&r.text),
                         "short\n0123456789\nabcdefghij\nten bytes.\n0123456789\n0123456789\n"
                         "01234\nend\nxxxxxxxxxx\nxyz\n");
        ck_assert_str_eq(od_buf_str(&r.places), "0:1+1@0\n0:2+1@6\n0:2+1@16\n0:3+1@27\n0:4+1@38\n"
                                                "0:4+1@48\n0:4+1@58\n0:5+1@64\n0:6+1@68\n"
                                                "0:6+1@78\n");
        ck_assert_uint_eq(od_input_source(r.input, 0)->lines, 6);
        ck_assert_uint_eq(od_input_source(r.input, 0)->unreadable_lines, 0);
        ck_assert_uint_eq(od_diags_count(r.diags), 1);
        reading_done(&r);
    }
}
END_TEST

struct cut_row {
    const char *bytes;
    const char *pieces;
    bool torn;
};

static const struct cut_row cut_rows[] = {
    {"{\"log\":\"a b\\nc d\\ne\"}", "{\"log\":\"a b\"\n\"c d\\ne\"}\n", false},
    {"[{\"a\":12345},{\"b\":67},{\"c\":8}]", "[{\"a\":12345},\n{\"b\":67},\n{\"c\":8}]\n", false},
    {"[[1,\"one two\"],[2,\"three\"]]", "[[1,\"one two\"],\n[2,\"three\"]]\n", false},
    {"abcde fghij klmno pqrst", "abcde fghij \nklmno pqrst\n", true},
    {"abcdefghijklmn\xe2\x82\xacpqrst", "abcdefghijklmn\n\xe2\x82\xacpqrst\n", false},
    {"C:\\\\new\\\\night12345678", "C:\\\\new\\\\night12\n345678\n", false},
};

START_TEST(a_long_line_is_cut_between_records)
{
    const struct cut_row *row = &cut_rows[_i];
    struct reading r;
    reading_new(&r, &(struct od_input_limits){.line_bytes = 16}, 16);
    ck_assert_int_eq(od_input_add_bytes(r.input, "m", od_view_of(row->bytes)), OD_OK);
    reading_run(&r);
    ck_assert_str_eq(od_buf_str(&r.text), row->pieces);
    ck_assert_int_eq(od_input_source(r.input, 0)->complete, !row->torn);
    ck_assert_int_eq(od_input_status(r.input), row->torn ? OD_LOST : OD_OK);
    reading_done(&r);
}
END_TEST

START_TEST(binary_is_said_once)
{
    struct reading r;
    size_t n = 1U << 20;
    char *bytes = od_mem_alloc(n, 1);
    uint64_t state = 88172645463325252U;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (char)(state >> 32);
    }
    reading_of(&r, (struct od_view){bytes, n}, 0);
    const struct od_source *source = od_input_source(r.input, 0);
    ck_assert_str_eq(source->format, "binary");
    ck_assert_uint_eq(source->unreadable_lines, source->lines);
    ck_assert_uint_gt(r.lines, 1000);
    ck_assert_uint_eq(od_diags_count(r.diags), 1);
    reading_done(&r);
    od_mem_free(bytes);
}
END_TEST

START_TEST(a_hole_of_nuls_is_no_binary)
{
    struct reading r;
    char bytes[20000] = {0};
    const char *text = "step 1 used 12 MiB\nstep 2 used 14 MiB\n";
    memcpy(bytes + 10000, text, strlen(text));
    reading_of(&r, (struct od_view){bytes, 10000 + strlen(text)}, 0);
    ck_assert_str_eq(od_input_source(r.input, 0)->format, "text");
    ck_assert_uint_eq(od_input_source(r.input, 0)->unreadable_lines, 0);
    reading_done(&r);
    reading_of(&r, (struct od_view){bytes, 10000}, 0);
    ck_assert_str_eq(od_input_source(r.input, 0)->format, "binary");
    reading_done(&r);
}
END_TEST

struct label_row {
    const char *text;
    enum od_block_prefixes labels;
};

static const struct label_row label_rows[] = {
    {"0: a\n1: b\n 0: c\n11: d\nx\n", OD_BLOCK_PREFIX_NUMBER},
    {"1: a\n1: b\n1: c\n2: d\n", OD_BLOCK_PREFIX_NONE}, /* tests and lists begin with 1 */
    {"0: a\nplain\nplain\nplain\n1: b\n0: c\n1: d\nplain\n", OD_BLOCK_PREFIX_NONE},
    {"[0]: a\n[1]: b\n[0]:\n[1]: d\n", OD_BLOCK_PREFIX_BRACKET},
    {"[0] a\n[1] b\n[0] c\n[1] d\n", OD_BLOCK_PREFIX_BRACKET},
    {"[00] a\n[01] b\n[02] c\n[03] d\n", OD_BLOCK_PREFIX_NONE},          /* no rank is padded */
    {"[0] a\n[40] b\n[80] c\n[120] d\n[160] e\n", OD_BLOCK_PREFIX_NONE}, /* steps rise with gaps */
    {"[0] T4 | 31'C | 3 / 15 MB |\n[1] T4 | 31'C | 3 / 15 MB |\n[0] T4 | 31'C | 3 / 15 MB |\n[1] "
     "T4 "
     "| 31'C | 3 / 15 MB |\n",
     OD_BLOCK_PREFIX_NONE},
    {"10:11:12 a\n10:11:12 b\n10:11:12 c\n10:11:12 d\n", OD_BLOCK_PREFIX_NONE},
    {"2026-01-02 03:04:05,678 INFO a\n\n2026-01-02 03:04:06,001 INFO   b\n",
     OD_BLOCK_PREFIX_COLLECTED},
    {"[2026-01-02, 03:04:05 UTC] {run.py:93} INFO - a\n", OD_BLOCK_PREFIX_COLLECTED},
    {"2026-01-02 03:04:05,678 INFO a\n2026-01-02 03:04:06,001 ERROR b\n", OD_BLOCK_PREFIX_NONE},
    {"2026-01-02 03:04:05,678 INFO a\nTraceback\n", OD_BLOCK_PREFIX_NONE},
    {"12:00:00 net INFO a\n12:00:00 cli INFO b\n", OD_BLOCK_PREFIX_NONE},
};

START_TEST(labels_are_judged_over_a_block)
{
    struct od_diags *diags = od_diags_new();
    struct od_input *input = od_input_new(NULL, diags);
    struct od_block block;
    ck_assert_int_eq(od_input_add_bytes(input, "m", od_view_of(label_rows[_i].text)), OD_OK);
    ck_assert(od_input_next(input, &block));
    ck_assert_int_eq(block.labels, label_rows[_i].labels);
    od_input_free(input);
    od_diags_free(diags);
}
END_TEST

Suite *od_lines_suite(void)
{
    Suite *suite = suite_create("lines");
    TCase *tcase = tcase_create("lines");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, bytes_become_lines, 0, (int)OD_COUNT_OF(rows));
    tcase_add_test(tcase, blocks_do_not_change_the_lines);
    tcase_add_loop_test(tcase, utf16_is_cut_anywhere, 0, 2);
    tcase_add_test(tcase, a_line_of_100_mb_is_read_in_pieces);
    tcase_add_test(tcase, long_lines_are_cut_wherever_blocks_end);
    tcase_add_loop_test(tcase, a_long_line_is_cut_between_records, 0, (int)OD_COUNT_OF(cut_rows));
    tcase_add_test(tcase, binary_is_said_once);
    tcase_add_test(tcase, a_hole_of_nuls_is_no_binary);
    tcase_add_loop_test(tcase, labels_are_judged_over_a_block, 0, (int)OD_COUNT_OF(label_rows));
    suite_add_tcase(suite, tcase);
    return suite;
}
