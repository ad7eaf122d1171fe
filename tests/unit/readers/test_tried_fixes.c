/* What people say helped or did not, and sentences that say neither. */
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>

extern const struct od_reader od_reader_tried_fixes;

static const struct {
    const char *text;
    const char *worked, *failed; /* NULL = nothing is said */
} sayings[] = {
    {"Lowering --tile-rows to 4 fixed it for me.", "--tile-rows", NULL},
    {"Setting `NUMAP_CACHE=0` solved the problem", "NUMAP_CACHE=0", NULL},
    {"I added --low-memory and it works now, thanks!", "--low-memory", NULL},
    {"Downgrading the solver worked for me", "version", NULL},
    {"Reducing the resolution helped.", "image_size", NULL},
    {"If anyone has the same problem, reducing the resolution helped", "image_size", NULL},
    {"If I set max_tiles to 8 it works", "max_tiles", NULL},
    {"num_workers改成0后就可以跑了", "num_workers", NULL},
    {"把分辨率调低以后问题解决了。", "image_size", NULL},
    {"empty_cache() does not help", NULL, "empty_cache"},
    {"empty_cache() didnt help", NULL, "empty_cache"},
    {"I tried `--low-memory` without success", NULL, "--low-memory"},
    {"I reduced the batch size but it still runs out of memory", NULL, "batch"},
    {"Even with fp16 I get the same error", NULL, "precision"},
    {"减小 batch size 也无法解决该问题", NULL, "batch"},
    {"Setting max_tiles to 8 should fix it", NULL, NULL},
    {"Try `--low-memory`, it works for many.", NULL, NULL},
    {"Does --low-memory work?", NULL, NULL},
    {"If the resolution is smaller it works", NULL, NULL},
    {"It works on another machine.", NULL, NULL},
    {"I fixed the typo, still the same error", NULL, NULL},
    {"[INFO] cache_size=4 works", NULL, NULL},
    {"2024-03-04 05:06 solver: fixed cache_size=4", NULL, NULL},
    {"print(\"max_tiles works\")", NULL, NULL},
    {"试试把分辨率调低，应该可以解决", NULL, NULL},
    {"With cache=False there is no OOM.", "cache=False", NULL},
    {"Running it with `-j2` instead of `-j16` finally built everything.", "-j2", NULL},
    {"I ran it with -j2 instead of -j16, that did the job.", "-j2", NULL},
    {"Switching from `read_csv` to `scan_csv` got me past this.", "scan_csv", NULL},
    {"version 0.9.2 works, 0.10.0 does not.", "0.9.2", NULL},
    {"I can confirm that build 4711 no longer has this.", "4711", NULL},
    {"Closing because raising vm.max_map_count to 1048576 did it.", "vm.max_map_count", NULL},
    {"I rebuilt it with -DUSE_MMAP=ON and it has been running for three days", "-DUSE_MMAP=ON",
     NULL},
    {"In the end I lowered `spark.executor.cores` to 2, all stages pass now.",
     "spark.executor.cores", NULL},
    {"With --threads 1 it also dies.", NULL, "--threads 1"},
    {"I fixed the seed with --seed 4.", NULL, NULL},
    {"I run it with --threads 16 and it fails at 96%.", NULL, NULL},
    {"solver finished with exit code 137 after --threads 16", NULL, NULL},
    {"I would expect that --threads 16 fits into 64 GB.", NULL, NULL},
    {"It used to work with 3.0.7.", NULL, NULL},
};

START_TEST(a_finding_has_its_handle)
{
    struct listener l;
    char want[160] = "";
    if (sayings[_i].worked)
        (void)snprintf(want, sizeof want, "setting@1 name=found_worked value=%s\n",
                       sayings[_i].worked);
    if (sayings[_i].failed)
        (void)snprintf(want, sizeof want, "setting@1 name=found_failed value=%s\n",
                       sayings[_i].failed);
    listen_begin(&l, &od_reader_tried_fixes);
    listen_text(&l, 1, sayings[_i].text);
    ck_assert_str_eq(listen_end(&l), want);
    listen_done(&l);
}
END_TEST

static const struct {
    const char *lines[3];
    const char *heard;
} headed[] = {
    {{"**Solution:**", "", "1. use card 0, and --tile-rows 4"},
     "setting@2 name=found_worked value=--tile-rows 4\n"},
    {{"解决方法：", "把显存清空后再运行一次程序"}, "setting@2 name=found_worked value=change\n"},
    {{"Solution:", "try a smaller map, maybe?"}, ""},
    {{"Can you run it with a larger `--tile-cache`, does that help?", "", "Same error"},
     "setting@1 name=found_advised value=--tile-cache\n"
     "setting@2 name=found_failed value=--tile-cache\n"},
    {{"Can you run it with a larger `--tile-cache`?", "", "It started then."}, ""},
    {{"A solution of the equation:", "x is 4 and --tile-rows is 3"}, ""},
    {{"\"fixed\": {", "\"weights_bytes\": 5093636,"}, ""},
};

START_TEST(what_stands_below_a_heading_was_found)
{
    struct listener l;
    listen_begin(&l, &od_reader_tried_fixes);
    for (size_t i = 0; i < 3 && headed[_i].lines[i]; i++)
        listen_text(&l, 1, headed[_i].lines[i]);
    ck_assert_str_eq(listen_end(&l), headed[_i].heard);
    listen_done(&l);
}
END_TEST

/* Versions and advice: the whole of what is put. */
static const struct {
    const char *text, *put;
} others[] = {
    {"This was fixed in 2.4.1.", "found_released value=2.4.1"},
    {"Fixed by #812, released as v0.14.2.", "found_released value=v0.14.2"},
    {"Should be fixed by version 3.1.1, please reopen if not.", "found_released value=3.1.1"},
    {"Please use 3.1.2 or later, 3.1.0 has a leak.", "found_released value=3.1.2"},
    {"Upgrading to 1.22 should fix it.", "found_released value=1.22"},
    {"Fixed upstream, will be part of 7.1.", "found_released value=7.1"},
    {"Could you try latest master?", "found_released value=newest"},
    {"Is this fixed in 3.1.1?", NULL},
    {"It worked until we moved to 3.1.0.", NULL},
    {"I will upgrade to 3.1.1 to check it.", NULL},
    {"The solver needs Python 3.8 or later.", NULL},
    {"I upgraded to 3.1.0 last week and since then it crashes.", NULL},
    {"You should use --mem-save here.", "found_advised value=--mem-save"},
    {"Have you tried `--tile 256`?", "found_advised value=--tile 256"},
    {"Please use `layer.run` instead.", NULL},
    {"What does --tiles 64 do?", NULL},
};

START_TEST(a_version_or_advice_is_put)
{
    struct listener l;
    char want[160] = "";
    if (others[_i].put)
        (void)snprintf(want, sizeof want, "setting@1 name=%s\n", others[_i].put);
    listen_begin(&l, &od_reader_tried_fixes);
    listen_text(&l, 1, others[_i].text);
    ck_assert_str_eq(listen_end(&l), want);
    listen_done(&l);
}
END_TEST

Suite *od_tried_fixes_suite(void)
{
    Suite *suite =
        od_suite_loop("found words", a_finding_has_its_handle, (int)OD_COUNT_OF(sayings));
    TCase *headings = tcase_create("headings");
    tcase_add_loop_test(headings, what_stands_below_a_heading_was_found, 0,
                        (int)OD_COUNT_OF(headed));
    suite_add_tcase(suite, headings);
    TCase *versions = tcase_create("versions");
    tcase_add_loop_test(versions, a_version_or_advice_is_put, 0, (int)OD_COUNT_OF(others));
    suite_add_tcase(suite, versions);
    return suite;
}
