/* Batches that people say worked or failed, and sentences that say neither. */
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>

extern const struct od_reader od_reader_batch_words;

static const struct {
    const char *text;
    unsigned worked, failed; /* 0 = nothing is said */
} sayings[] = {
    {"It runs with a batch size of 40 on one card.", 40, 0},
    {"A batch of 24 works but 36 fails.", 24, 36},
    {"batch size 24 works, 36 crashes", 24, 36},
    {"bs=6 ok, 12 OOM", 6, 12},
    {"With batch_size=80, the whole evaluation goes OK", 80, 0},
    {"With batch size 2000, 1000 and 500, it fails at once", 0, 500},
    {"After reducing the batch size from 48 to 12 fixed it for me", 12, 48},
    {"update: after decreasing the batch size from 40 to 5, I have stopped getting this", 5, 40},
    {"Lowering the batch size from 48 to 12 did not change anything", 0, 0},
    {"it doesn't work with a batch size of 3", 0, 3},
    {"Training with batch_size 96 runs without errors.", 96, 0},
    {"I ran with batch size 70 and got an out of memory error", 0, 70},
    {"a batch of 8 images fits", 0, 0},
    {"batch size of 18 fits on an 8GB card", 18, 0},
    {"CUDA out of memory with batch size 52.", 0, 52},
    {"Try a batch size of 8, it works for many.", 0, 0},
    {"A batch size of 64 should work on this card.", 0, 0},
    {"Does a batch size of 16 work?", 0, 0},
    {"If the batch size is 16 it fails", 0, 0},
    {"batch_size: 64", 0, 0},
    {"batch size 32, learning rate 0.1, it works", 32, 0},
    {"batch_size=32 lr=0.001 epochs=20 workers=4 ok", 0, 0},
    {"batch size 3.5 works", 0, 0},
    {"batch size of 50% works", 0, 0},
    {"a batch size of 30 works and a batch size of 20 fails", 0, 0},
    {"works, batch size 99999999999999999999999", 0, 0},
    {"the batch of 12 files failed to load", 0, 0},
    {"batch_size=16 peak memory 6.20 GiB 312 img/s", 0, 0},
    {"a batch size of 24 works on a card with 12 GB of memory", 24, 0},
    {"batch size 48 runs out of memory", 0, 48},
    {"batch size 48 ends with a MemoryError", 0, 48},
    {"BATCH_SIZE = 72  # max for this card", 72, 0},
    {"batch_size = 72 #maximum with the new driver", 72, 0},
    {"# batch_size = 72 # max before the upgrade", 0, 0},
    {"batch_size = 72  # default", 0, 0},
    {"max batch size: 8", 0, 0},
    {"It trains with a batch size of 24. I was attempting to raise the batch size to 40.", 24, 40},
    {"a batch size of 24 works, increasing the batch size to 40 next week", 24, 40},
    {"I am attempting to raise the batch size to 40", 0, 0},
    {"my workaround is to set batch size to 6", 6, 0},
    {"(If anyone has the same issue: my workaround is to set batch size to 6)", 6, 0},
    {"it works with 24 batch size but with 48 batch size I get OOM", 24, 48},
    {"Reducing batch size to 6 makes memory errors disappear", 6, 0},
    {"what is the solution for batch size 6", 0, 0},
    {"I changed batch_size from 6 to 3, but still have this error", 0, 3},
    {"batch size 设置成12后，程序可以跑起来。", 12, 0},
    {"把batch size从48改成12还是报错", 0, 12},
    {"batch size 设置成12应该可以跑", 0, 0},
    {"批大小为24时爆显存，改成6就可以跑", 6, 24},
    {"a batch size of 24 works, you could raise the batch size to 40", 0, 0},
};

START_TEST(a_saying_bounds_the_batch)
{
    struct listener l;
    char want[160] = "";
    int n = 0;
    if (sayings[_i].worked > 0)
        n = snprintf(want, sizeof want, "setting@1 name=batch_worked value=%u\n",
                     sayings[_i].worked);
    if (sayings[_i].failed > 0)
        (void)snprintf(want + n, sizeof want - (size_t)n, "setting@1 name=batch_failed value=%u\n",
                       sayings[_i].failed);
    listen_begin(&l, &od_reader_batch_words);
    listen_text(&l, 1, sayings[_i].text);
    ck_assert_str_eq(listen_end(&l), want);
    listen_done(&l);
}
END_TEST

Suite *od_batch_words_suite(void)
{
    return od_suite_loop("batch words", a_saying_bounds_the_batch, (int)OD_COUNT_OF(sayings));
}
