/* What people say helped or did not, and sentences that say neither. */
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>

extern const struct od_reader od_reader_found_words;

static const struct {
    const char *text;
    const char *worked, *failed; /* NULL = nothing is said */
} sayings[] = {
    {"Lowering --tile-rows to 4 fixed it for me.", "--tile-rows", NULL},
    {"Setting `NUMAP_CACHE=0` solved the problem", "NUMAP_CACHE=0", NULL},
    {"I added --low-memory and it works now, thanks!", "--low-memory", NULL},
    {"Downgrading to 3.1 worked for me", "version", NULL},
    {"Reducing the resolution helped.", "image_size", NULL},
    {"If anyone has the same problem, reducing the resolution helped", "image_size", NULL},
    {"If I set max_tiles to 8 it works", "max_tiles", NULL},
    {"num_workers改成0后就可以跑了", "num_workers", NULL},
    {"把分辨率调低以后问题解决了。", "image_size", NULL},
    {"empty_cache() does not help", NULL, "empty_cache"},
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
    listen_begin(&l, &od_reader_found_words);
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
    {{"A solution of the equation:", "x is 4 and --tile-rows is 3"}, ""},
    {{"\"fixed\": {", "\"weights_bytes\": 5093636,"}, ""},
};

START_TEST(what_stands_below_a_heading_was_found)
{
    struct listener l;
    listen_begin(&l, &od_reader_found_words);
    for (size_t i = 0; i < 3 && headed[_i].lines[i]; i++)
        listen_text(&l, 1, headed[_i].lines[i]);
    ck_assert_str_eq(listen_end(&l), headed[_i].heard);
    listen_done(&l);
}
END_TEST

Suite *od_found_words_suite(void)
{
    Suite *suite =
        od_suite_loop("found words", a_finding_has_its_handle, (int)OD_COUNT_OF(sayings));
    TCase *headings = tcase_create("headings");
    tcase_add_loop_test(headings, what_stands_below_a_heading_was_found, 0,
                        (int)OD_COUNT_OF(headed));
    suite_add_tcase(suite, headings);
    return suite;
}
