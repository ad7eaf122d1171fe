/* DeepSpeed's see_memory_usage(): numbers under the moment that was printed above them. */
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_deepspeed_memory;

#define SAYS "[INFO] [utils.py:785:see_memory_usage] "
#define NUMBERS SAYS "MA 1.0 GB         Max_MA 2.0 GB         CA 3.0 GB         Max_CA 3 GB \n"
#define HOST SAYS "CPU Virtual Memory:  used = 4.0 GB, percent = 19.0%\n"
#define DEVICE_SAID "in_use=1073741824 reserved=3221225472 peak=2147483648"

static const struct {
    const char *text;
    const char *heard;
} prints[] = {
    {SAYS "After creating fp16 partitions: 1\n" NUMBERS HOST,
     "sample@2 " DEVICE_SAID " name=After creating fp16 partitions\n"
     "sample@3 in_use=4294967296 share=0.19 name=After creating fp16 partitions\n"},
    {SAYS "DeepSpeedZeRoOffload initialize [end]\n" NUMBERS,
     "sample@2 " DEVICE_SAID " name=DeepSpeedZeRoOffload initialize [end]\n"},
    /* another logger writes in between */
    {SAYS "before forward 12\nloading shards\n" NUMBERS,
     "sample@3 " DEVICE_SAID " name=before forward\n"},
    /* far above, it is not the moment of these; without one there is none */
    {SAYS "before forward\n1\n2\n3\n4\n5\n6\n" NUMBERS, "sample@8 " DEVICE_SAID "\n"},
    {NUMBERS, "sample@1 " DEVICE_SAID "\n"},
    /* cut lines measure nothing, or what they hold */
    {SAYS "MA 1.0 GB         Max_MA 2.0 \n", "sample@1 in_use=1073741824\n"},
    {SAYS "MA nothing Max_MA 1 GB\n", ""},
    {SAYS "a word alone\n", ""},
};

START_TEST(numbers_are_of_their_moment)
{
    struct listener l;
    listen_begin(&l, &od_reader_deepspeed_memory);
    listen_text(&l, 1, prints[_i].text);
    ck_assert_str_eq(listen_end(&l), prints[_i].heard);
    listen_done(&l);
}
END_TEST

START_TEST(ranks_side_by_side_have_their_own)
{
    struct listener l;
    listen_begin(&l, &od_reader_deepspeed_memory);
    listen_text(&l, 1, SAYS "before forward\n");
    listen_text(&l, 2, SAYS "after forward\n");
    listen_text(&l, 1, NUMBERS);
    listen_text(&l, 2, NUMBERS);
    ck_assert_str_eq(listen_end(&l), "sample@3 " DEVICE_SAID " name=before forward\n"
                                     "sample@4 " DEVICE_SAID " name=after forward\n");
    listen_done(&l);
}
END_TEST

Suite *od_deepspeed_memory_suite(void)
{
    Suite *suite = suite_create("deepspeed_memory");
    TCase *tcase = tcase_create("deepspeed_memory");
    tcase_add_loop_test(tcase, numbers_are_of_their_moment, 0, (int)OD_COUNT_OF(prints));
    tcase_add_test(tcase, ranks_side_by_side_have_their_own);
    suite_add_tcase(suite, tcase);
    return suite;
}
