#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"
#include "tests/unit/suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(what_cannot_be_read_is_said)
{
    struct reading r;
    char dir[] = "/tmp/od-input-XXXXXX";
    char path[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    (void)snprintf(path, sizeof path, "%s/absent.log", dir);
    reading_new(&r, NULL, 0);
    ck_assert_int_eq(od_input_add(r.input, dir), OD_EINPUT);
    ck_assert(reading_said(&r, "directory"));
    ck_assert_int_eq(od_input_add(r.input, path), OD_EINPUT);
    ck_assert(reading_said(&r, "no such file"));
    if (geteuid() != 0) {
        ck_assert_int_ge(close(open(path, O_CREAT | O_WRONLY, 0)), 0);
        ck_assert_int_eq(od_input_add(r.input, path), OD_EINPUT);
        ck_assert(reading_said(&r, "permission"));
        (void)unlink(path);
    }
    /* The input stays usable. */
    ck_assert_int_eq(od_input_add_bytes(r.input, "m", OD_VIEW("one\n")), OD_OK);
    reading_run(&r);
    ck_assert_str_eq(od_buf_str(&r.text), "one\n");
    ck_assert_uint_eq(od_input_count(r.input), 1);
    reading_done(&r);
    (void)rmdir(dir);
}
END_TEST

START_TEST(a_file_that_goes_away_is_said)
{
    struct reading r;
    char path[] = "/tmp/od-input-XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "abc\n", 4), 4);
    (void)close(fd);
    reading_new(&r, NULL, 0);
    ck_assert_int_eq(od_input_add(r.input, path), OD_OK);
    (void)unlink(path);
    reading_run(&r);
    ck_assert_int_eq(od_input_status(r.input), OD_EINPUT);
    ck_assert(!od_input_source(r.input, 0)->complete);
    reading_done(&r);
}
END_TEST

START_TEST(files_pipes_and_memory_make_one_input)
{
    struct reading r;
    char path[] = "/tmp/od-input-XXXXXX";
    char name[32];
    int ends[2];
    int fd = mkstemp(path);
    ck_assert_int_eq(write(fd, "file\n", 5), 5);
    (void)close(fd);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "pi\npe", 5), 5);
    (void)close(ends[1]);
    (void)snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    reading_new(&r, NULL, 0);
    ck_assert_int_eq(od_input_add(r.input, path), OD_OK);
    ck_assert_int_eq(od_input_add(r.input, name), OD_OK);
    ck_assert_int_eq(od_input_add_bytes(r.input, "m", OD_VIEW("mem")), OD_OK);
    reading_run(&r);
    ck_assert_str_eq(od_buf_str(&r.text), "file\npi\npe\nmem\n");
    ck_assert_str_eq(od_buf_str(&r.places), "0:1+1@0\n1:1+1@0\n1:2+1@3\n2:1+1@0\n");
    ck_assert_int_eq(od_input_status(r.input), OD_OK);
    (void)close(ends[0]);
    (void)unlink(path);
    reading_done(&r);
}
END_TEST

START_TEST(what_opens_may_still_not_be_readable)
{
    struct reading r;
    reading_new(&r, NULL, 0);
    /* Reading one's own memory at address 0 fails with EIO. */
    ck_assert_int_eq(od_input_add(r.input, "/proc/self/mem"), OD_OK);
    reading_run(&r);
    ck_assert(!od_input_source(r.input, 0)->complete);
    ck_assert(reading_said(&r, "cannot be read"));
    ck_assert_int_eq(od_input_status(r.input), OD_EINPUT);
    reading_done(&r);
}
END_TEST

START_TEST(too_many_sources_are_said_once)
{
    struct reading r;
    reading_new(&r, &(struct od_input_limits){.sources = 2}, 0);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(od_input_add_bytes(r.input, "m", OD_VIEW("x\n")), OD_OK);
    reading_run(&r);
    ck_assert_uint_eq(r.lines, 2);
    ck_assert_uint_eq(od_input_count(r.input), 2);
    ck_assert_uint_eq(od_diags_count(r.diags), 1);
    ck_assert_int_eq(od_input_status(r.input), OD_ELIMIT);
    reading_done(&r);
}
END_TEST

static Suite *sources(void)
{
    Suite *suite = suite_create("sources");
    TCase *tcase = tcase_create("sources");
    tcase_add_test(tcase, what_cannot_be_read_is_said);
    tcase_add_test(tcase, a_file_that_goes_away_is_said);
    tcase_add_test(tcase, files_pipes_and_memory_make_one_input);
    tcase_add_test(tcase, what_opens_may_still_not_be_readable);
    tcase_add_test(tcase, too_many_sources_are_said_once);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    Suite *suites[] = {sources(),         od_clock_suite(), od_lines_suite(), od_packed_suite(),
                       od_unwrap_suite(), od_whole_suite(), od_wrap_suite(),  NULL};
    return od_suites_run(suites);
}
