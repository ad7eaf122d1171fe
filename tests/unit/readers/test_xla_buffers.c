/* XLA's memory tables: totals, the largest buffers, copies, all on one line. */
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_xla_buffers;

#define STATS                                                 \
    "BufferAssignment stats:\n"                               \
    "             parameter allocation:   10.00GiB\n"         \
    "              constant allocation:         4B\n"         \
    "        maybe_live_out allocation:    2.00GiB\n"         \
    "     preallocated temp allocation:   -1.50GiB\n"         \
    "  preallocated temp fragmentation:       304B (0.00%)\n" \
    "                 total allocation:   16.00GiB\n"         \
    "              total fragmentation:   12.0MiB (0.07%)\n"

#define STATS_HEARD                                      \
    "memory_state@2 in_use=10737418240 name=parameter\n" \
    "memory_state@3 in_use=4 name=constant\n"            \
    "memory_state@4 in_use=2147483648 name=live_out\n"   \
    "memory_state@7 in_use=17179869184 name=total\n"     \
    "memory_state@8 in_use=12582912 name=fragmentation\n"

#define PEAK                                                                                \
    "Peak buffers:\n"                                                                       \
    "\tBuffer 1:\n"                                                                         \
    "\t\tSize: 2.00GiB\n"                                                                   \
    "\t\tOperator: op_name=\"jit(step)/jit(main)/dot_general\" source_file=\"/app/a.py\"\n" \
    "\t\tXLA Label: custom-call\n"                                                          \
    "\t\tShape: f32[4096,131072]\n"                                                         \
    "\t\t==========================\n"                                                      \
    "\n"                                                                                    \
    "\tBuffer 2:\n"                                                                         \
    "\t\tSize: 512.00MiB\n"                                                                 \
    "\t\tXLA Label: fusion\n"                                                               \
    "\t\tShape: (bf16[8], u8[4])\n"                                                         \
    "\t\t==========================\n"

#define TPU                                                                                \
    "Total hbm usage >= 20.00G:\n"                                                         \
    "    reserved        512.00M \n"                                                       \
    "    program          16.00G \n"                                                       \
    "    arguments            0B \n"                                                       \
    "\n"                                                                                   \
    "Output size 0B; shares 0B with arguments.\n"                                          \
    "\n"                                                                                   \
    "Program hbm requirement 16.00G:\n"                                                    \
    "    HLO temp         15.00G (98.0% utilization: Unpadded (14.00G) Padded (15.00G))\n" \
    "    global            1.00G\n"                                                        \
    "\n"                                                                                   \
    "  Largest program allocations in hbm:\n"                                              \
    "\n"                                                                                   \
    "  1. Size: 1.00G\n"                                                                   \
    "     Operator: op_name=\"jit(f)/broadcast\"\n"                                        \
    "     Shape: bf16[4096,1024,10]{2,1,0:T(8,128)(2,1)}\n"                                \
    "     Unpadded size: 80.00M\n"                                                         \
    "     Extra memory due to padding: 944.00M (12.8x expansion)\n"                        \
    "     XLA label: %broadcast.7\n"                                                       \
    "     Allocation type: HLO temp\n"                                                     \
    "     ==========================\n"

static const struct row {
    const char *what;
    const char *text;
    const char *heard;
} rows[] = {
    {"totals; a negative one is not a size", STATS, STATS_HEARD},
    {"buffers; of a tuple no shape", PEAK,
     "memory_state@2 in_use=2147483648 shape=4096x131072 dtype=float32 count=1 "
     "op=jit(step)/jit(main)/dot_general name=buffer\n"
     "memory_state@9 in_use=536870912 count=2 op=fusion name=buffer\n"},
    {"said twice, heard once", STATS STATS, STATS_HEARD},
    {"TPU", TPU,
     "memory_state@1 in_use=21474836480 name=total\n"
     "compile_failed@1 requested=21474836480\n"
     "memory_state@2 in_use=536870912 name=reserved\n"
     "memory_state@3 in_use=17179869184 name=program\n"
     "memory_state@4 in_use=0 name=arguments\n"
     "memory_state@6 in_use=0 name=live_out\n"
     "memory_state@9 in_use=16106127360 name=temp\n"
     "memory_state@10 in_use=1073741824 name=global\n"
     "memory_state@14 requested=83886080 in_use=1073741824 shape=4096x1024x10 dtype=bfloat16 "
     "count=1 op=jit(f)/broadcast name=buffer\n"},
    {"all on one line",
     "RuntimeError: Out of memory. BufferAssignment stats: parameter allocation: 1.00GiB total "
     "allocation: 3.00GiB Peak buffers: Buffer 1: Size: 1.00GiB Operator: op_name=\"a\" XLA "
     "Label: fusion Shape: f32[16384,16384] ========== Buffer 2: Size: 8B Shape: s32[2]",
     "memory_state@1 in_use=1073741824 name=parameter\n"
     "memory_state@1 in_use=3221225472 name=total\n"
     "memory_state@1 in_use=1073741824 shape=16384x16384 dtype=float32 count=1 op=a name=buffer\n"
     "memory_state@1 in_use=8 shape=2 dtype=int32 count=2 name=buffer\n"},
    {"cut in a buffer", "Peak buffers:\n\tBuffer 1:\n\t\tSize: 4B\n",
     "memory_state@2 in_use=4 count=1 name=buffer\n"},
    {"words of other sentences",
     "Total hbm usage >= 2.00G:\nthe program 1 is slow\nthe arguments and the Size: 9\n",
     "memory_state@1 in_use=2147483648 name=total\n"
     "compile_failed@1 requested=2147483648\n"},
    {"a failure that was said above it",
     "XlaRuntimeError: RESOURCE_EXHAUSTED: it does not fit\nTotal hbm usage >= 2.00G:\n",
     "memory_state@2 in_use=2147483648 name=total\n"},
    {"nothing to open it", "\tBuffer 1:\n\t\tSize: 4B\nparameter allocation: 9GiB\n", ""},
};

START_TEST(tables_are_heard)
{
    struct listener l;
    listen_begin(&l, &od_reader_xla_buffers);
    listen_text(&l, 3, rows[_i].text);
    ck_assert_msg(od_view_eq_str(od_view_of(listen_end(&l)), rows[_i].heard), "%s:\n%s",
                  rows[_i].what, od_buf_str(&l.heard));
    listen_done(&l);
}
END_TEST

START_TEST(no_more_than_eight_buffers)
{
    struct listener l;
    struct od_buf text = {0};
    od_buf_add_str(&text, "Peak buffers:\n");
    for (int i = 1; i <= 15; i++)
        od_buf_printf(&text, "\tBuffer %d:\n\t\tSize: %dB\n\t\t=====\n", i, 1000 - i);
    listen_begin(&l, &od_reader_xla_buffers);
    listen_text(&l, 0, od_buf_str(&text));
    struct od_view heard = od_view_of(listen_end(&l));
    ck_assert(od_view_has(heard, OD_VIEW("in_use=992 count=8 ")));
    ck_assert(!od_view_has(heard, OD_VIEW("count=9 ")));
    listen_done(&l);
    od_buf_done(&text);
}
END_TEST

START_TEST(lanes_do_not_mix)
{
    struct listener l;
    listen_begin(&l, &od_reader_xla_buffers);
    listen_text(&l, 1, "Peak buffers:\n\tBuffer 1:\n");
    listen_text(&l, 2, "Peak buffers:\n\tBuffer 1:\n");
    listen_text(&l, 1, "\t\tSize: 16B\n");
    listen_text(&l, 2, "\t\tSize: 32B\n");
    listen_text(&l, 1, "\t\tShape: f32[4]\n");
    listen_text(&l, 2, "\t\tShape: f32[8]\n");
    struct od_view heard = od_view_of(listen_end(&l));
    ck_assert(od_view_has(heard, OD_VIEW("in_use=16 shape=4 ")));
    ck_assert(od_view_has(heard, OD_VIEW("in_use=32 shape=8 ")));
    listen_done(&l);
}
END_TEST

START_TEST(it_closes_after_idle_lines)
{
    struct listener l;
    listen_begin(&l, &od_reader_xla_buffers);
    listen_text(&l, 1, "Peak buffers:\n");
    for (int i = 0; i < 30; i++)
        listen_text(&l, 1, "step\n");
    ck_assert(!od_reading_is_open(&l.reading));
    listen_text(&l, 1, "\tBuffer 1:\n\t\tSize: 16B\n");
    ck_assert_str_eq(listen_end(&l), "");
    listen_done(&l);
}
END_TEST

Suite *od_xla_buffers_suite(void)
{
    Suite *suite = od_suite_loop("xla buffers", tables_are_heard, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("limits");
    tcase_add_test(tcase, no_more_than_eight_buffers);
    tcase_add_test(tcase, lanes_do_not_mix);
    tcase_add_test(tcase, it_closes_after_idle_lines);
    suite_add_tcase(suite, tcase);
    return suite;
}
