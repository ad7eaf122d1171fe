#include "base/mem.h"
#include "base/num.h"
#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct member {
    const char *name;
    struct od_view bytes;
};

static la_ssize_t on_write(struct archive *a, void *data, const void *bytes, size_t n)
{
    (void)a;
    od_buf_add(data, (struct od_view){bytes, n});
    return (la_ssize_t)n;
}

/* Packs members with libarchive's writer: format "raw", "zip" or "ustar", filter "none", ... */
static void pack(const char *format, const char *filter, const struct member *members,
                 struct od_buf *to)
{
    struct archive *a = archive_write_new();
    ck_assert_int_eq(archive_write_set_format_by_name(a, format), ARCHIVE_OK);
    if (strcmp(filter, "none") != 0)
        ck_assert_int_eq(archive_write_add_filter_by_name(a, filter), ARCHIVE_OK);
    (void)archive_write_set_bytes_in_last_block(a, 1);
    ck_assert_int_eq(archive_write_open(a, to, NULL, on_write, NULL), ARCHIVE_OK);
    for (; members->name; members++) {
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, members->name);
        archive_entry_set_size(entry, (la_int64_t)members->bytes.n);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        ck_assert_int_eq(archive_write_header(a, entry), ARCHIVE_OK);
        ck_assert_int_eq(archive_write_data(a, members->bytes.p, members->bytes.n),
                         (la_ssize_t)members->bytes.n);
        archive_entry_free(entry);
    }
    ck_assert_int_eq(archive_write_close(a), ARCHIVE_OK);
    (void)archive_write_free(a);
}

static const struct member one[] = {{"run.log", {"first\nsecond\n", 13}}, {NULL, {0}}};
static const struct member two[] = {
    {"rank0.log", {"zero\n", 5}}, {"logs/rank1.log", {"one\nmore", 8}}, {NULL, {0}}};

struct row {
    const char *format, *filter;
    const struct member *members;
    const char *text;
    const char *word;
    const char *names[2];
};

static const struct row rows[] = {
    {"raw", "gzip", one, "first\nsecond\n", "gzip text", {"p", NULL}},
    {"raw", "xz", one, "first\nsecond\n", "xz text", {"p", NULL}},
    {"raw", "zstd", one, "first\nsecond\n", "zstd text", {"p", NULL}},
    {"raw", "bzip2", one, "first\nsecond\n", "bzip2 text", {"p", NULL}},
    {"zip", "none", one, "first\nsecond\n", "zip text", {"p:run.log", NULL}},
    {"zip", "none", two, "zero\none\nmore\n", "zip text", {"p:rank0.log", "p:logs/rank1.log"}},
    {"ustar", "none", two, "zero\none\nmore\n", "tar text", {"p:rank0.log", "p:logs/rank1.log"}},
    {"ustar",
     "gzip",
     two,
     "zero\none\nmore\n",
     "gzip tar text",
     {"p:rank0.log", "p:logs/rank1.log"}},
    {"ustar",
     "zstd",
     two,
     "zero\none\nmore\n",
     "zstd tar text",
     {"p:rank0.log", "p:logs/rank1.log"}},
};

START_TEST(packed_files_give_their_members)
{
    const struct row *row = &rows[_i];
    struct od_buf packed = {0};
    struct reading r;
    pack(row->format, row->filter, row->members, &packed);
    reading_new(&r, NULL, 0);
    ck_assert_int_eq(od_input_add_bytes(r.input, "p", od_buf_view(&packed)), OD_OK);
    reading_run(&r);
    ck_assert_str_eq(od_buf_str(&r.text), row->text);
    size_t n = row->names[1] ? 2 : 1;
    ck_assert_uint_eq(od_input_count(r.input), n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(od_input_source(r.input, i)->name, row->names[i]);
        ck_assert_str_eq(od_input_source(r.input, i)->format, row->word);
        ck_assert(od_input_source(r.input, i)->complete);
    }
    ck_assert_int_eq(od_input_status(r.input), OD_OK);
    ck_assert_uint_eq(od_diags_count(r.diags), 0);
    reading_done(&r);
    od_buf_done(&packed);
}
END_TEST

/* Reads the bytes from memory or, unable to seek, from a pipe. */
static void read_cut(struct reading *r, struct od_view bytes, bool piped)
{
    int ends[2];
    char name[32];
    reading_new(r, NULL, 0);
    if (!piped) {
        ck_assert_int_eq(od_input_add_bytes(r->input, "p", bytes), OD_OK);
        reading_run(r);
        return;
    }
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], bytes.p, bytes.n), (ssize_t)bytes.n);
    (void)close(ends[1]);
    (void)snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    ck_assert_int_eq(od_input_add(r->input, name), OD_OK);
    reading_run(r);
    (void)close(ends[0]);
}

/*
 * Cut at every byte: whenever text is missing it is said, the status tells, and some source is
 * not complete. Shorter than its magic, a tar cannot be known for one.
 */
START_TEST(packed_files_that_are_cut_are_said)
{
    const struct row *row = &rows[_i / 2];
    struct od_buf packed = {0};
    pack(row->format, row->filter, row->members, &packed);
    size_t least = strcmp(row->format, "ustar") == 0 && strcmp(row->filter, "none") == 0 ? 262 : 16;
    for (size_t n = least; n < packed.n; n++) {
        struct reading r;
        read_cut(&r, od_view_head(od_buf_view(&packed), n), _i % 2 == 1);
        ck_assert_uint_le(od_diags_count(r.diags), 3);
        bool whole = true;
        for (size_t i = 0; i < od_input_count(r.input); i++)
            whole = whole && od_input_source(r.input, i)->complete;
        if (strcmp(od_buf_str(&r.text), row->text) != 0 &&
            (whole || od_diags_count(r.diags) == 0 || od_input_status(r.input) == OD_OK))
            ck_abort_msg("%s %s cut at %zu of %zu is not said", row->format, row->filter, n,
                         packed.n);
        reading_done(&r);
    }
    od_buf_done(&packed);
}
END_TEST

START_TEST(a_damaged_file_is_not_complete)
{
    struct od_buf packed = {0};
    struct reading r;
    pack("raw", "gzip", one, &packed);
    reading_of(&r, od_view_head(od_buf_view(&packed), packed.n - 10), 0);
    ck_assert(!od_input_source(r.input, 0)->complete);
    ck_assert(reading_said(&r, "cannot be unpacked further"));
    ck_assert_int_eq(od_input_status(r.input), OD_LOST);
    reading_done(&r);
    od_buf_done(&packed);
}
END_TEST

/* 80 MiB of lines in some kilobytes. */
/* Lines that shrink to about half. */
static void write_lines(struct od_buf *to, unsigned n)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < n; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        od_buf_printf(to, "step %u loss %" PRIu64 "\n", i, random >> 20);
    }
}

/* All that a packed text still holds is read, whether it was cut or damaged. */
START_TEST(a_cut_gzip_file_gives_what_it_holds)
{
    static const unsigned percent[] = {3, 20, 50, 90, 99};
    struct od_buf text = {0}, packed = {0};
    struct reading r;
    write_lines(&text, 20000);
    const struct member members[] = {{"run.log", od_buf_view(&text)}, {NULL, {0}}};
    pack("raw", "gzip", members, &packed);
    size_t n = packed.n * percent[_i / 2] / 100;
    reading_new(&r, NULL, 0);
    if (_i % 2 == 0) {
        packed.n = n;
    } else {
        memset(packed.p + n, 0xff, packed.n - n);
    }
    ck_assert_int_eq(od_input_add_bytes(r.input, "p", od_buf_view(&packed)), OD_OK);
    reading_run(&r);
    /* What is there shrinks evenly, and zlib looks 32 KiB around; damage may be noticed late. */
    size_t least = text.n * percent[_i / 2] / 100;
    least = least > 40000 ? least - 40000 : 0;
    ck_assert_uint_gt(r.text.n, least);
    ck_assert_int_eq(memcmp(r.text.p, text.p, least), 0);
    if (_i % 2 == 0)
        ck_assert_int_eq(memcmp(r.text.p, text.p, r.text.n - 1), 0); /* its line end is added */
    ck_assert(!od_input_source(r.input, 0)->complete);
    ck_assert_str_eq(od_input_source(r.input, 0)->format, "gzip text");
    ck_assert_int_eq(od_input_status(r.input), OD_LOST);
    reading_done(&r);
    od_buf_done(&packed);
    od_buf_done(&text);
}
END_TEST

START_TEST(gzip_files_one_behind_the_other_are_one_text)
{
    struct od_buf packed = {0};
    struct reading r;
    pack("raw", "gzip", one, &packed);
    pack("raw", "gzip", one, &packed);
    od_buf_add(&packed, (struct od_view){"\0\0\0\0", 4});
    reading_new(&r, NULL, 0);
    ck_assert_int_eq(od_input_add_bytes(r.input, "p", od_buf_view(&packed)), OD_OK);
    reading_run(&r);
    ck_assert_str_eq(od_buf_str(&r.text), "first\nsecond\nfirst\nsecond\n");
    ck_assert(od_input_source(r.input, 0)->complete);
    ck_assert_int_eq(od_input_status(r.input), OD_OK);
    reading_done(&r);
    od_buf_done(&packed);
}
END_TEST

START_TEST(a_bomb_is_stopped)
{
    static const struct od_input_limits limits[] = {{.ratio = 50}, {.unpacked_bytes = 1000000}};
    static const char *const words[] = {"50 times its size", "more than 1000000 bytes"};
    size_t n = 80U << 20;
    char *bytes = od_mem_alloc(n, 1);
    memset(bytes, 'x', n);
    for (size_t i = 99999; i < n; i += 100000)
        bytes[i] = '\n';
    struct member members[] = {{"bomb.log", {bytes, n}}, {"second.log", {"x\n", 2}}, {NULL, {0}}};
    struct od_buf packed = {0};
    struct reading r;
    pack("zip", "none", members, &packed);
    reading_new(&r, &limits[_i], 0);
    ck_assert_int_eq(od_input_add_bytes(r.input, "p", od_buf_view(&packed)), OD_OK);
    reading_run(&r);
    ck_assert_uint_eq(od_input_count(r.input), 1);
    ck_assert(!od_input_source(r.input, 0)->complete);
    ck_assert_uint_lt(od_input_source(r.input, 0)->bytes, n);
    if (_i == 1)
        ck_assert_uint_eq(od_input_source(r.input, 0)->bytes, 1000000);
    ck_assert(reading_said(&r, words[_i]));
    ck_assert_uint_eq(od_diags_count(r.diags), 1);
    ck_assert_int_eq(od_input_status(r.input), OD_ELIMIT);
    reading_done(&r);
    od_buf_done(&packed);
    od_mem_free(bytes);
}
END_TEST

START_TEST(an_archive_in_an_archive_is_said)
{
    struct od_buf inner = {0};
    struct od_buf outer = {0};
    struct reading r;
    pack("zip", "none", two, &inner);
    struct member members[] = {
        {"inner.zip", od_buf_view(&inner)}, {"after.log", {"after\n", 6}}, {NULL, {0}}};
    pack("ustar", "none", members, &outer);
    reading_of(&r, od_buf_view(&outer), 0);
    ck_assert_str_eq(od_buf_str(&r.text), "after\n");
    ck_assert_str_eq(od_input_source(r.input, 0)->format, "tar zip");
    ck_assert(!od_input_source(r.input, 0)->complete);
    ck_assert(reading_said(&r, "archive inside"));
    ck_assert_str_eq(od_input_source(r.input, 1)->name, "memory:after.log");
    reading_done(&r);
    od_buf_done(&inner);
    od_buf_done(&outer);
}
END_TEST

START_TEST(an_archive_of_nothing_is_said)
{
    static const struct member none[] = {{NULL, {0}}};
    struct od_buf packed = {0};
    struct reading r;
    pack("zip", "none", none, &packed);
    reading_of(&r, od_buf_view(&packed), 0);
    ck_assert_uint_eq(od_input_count(r.input), 1);
    ck_assert(reading_said(&r, "contains no file"));
    reading_done(&r);
    od_buf_done(&packed);
}
END_TEST

Suite *od_packed_suite(void)
{
    Suite *suite = suite_create("packed");
    TCase *tcase = tcase_create("packed");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, packed_files_give_their_members, 0, (int)OD_COUNT_OF(rows));
    tcase_add_loop_test(tcase, packed_files_that_are_cut_are_said, 0, 2 * (int)OD_COUNT_OF(rows));
    tcase_add_test(tcase, a_damaged_file_is_not_complete);
    tcase_add_loop_test(tcase, a_cut_gzip_file_gives_what_it_holds, 0, 10);
    tcase_add_test(tcase, gzip_files_one_behind_the_other_are_one_text);
    tcase_add_loop_test(tcase, a_bomb_is_stopped, 0, 2);
    tcase_add_test(tcase, an_archive_in_an_archive_is_said);
    tcase_add_test(tcase, an_archive_of_nothing_is_said);
    suite_add_tcase(suite, tcase);
    return suite;
}
